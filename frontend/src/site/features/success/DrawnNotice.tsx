import type { OwnDrawing } from './api';
import { dayInWords } from '../../lib/moments';
import { Confetti } from '../../ui/Confetti';

type Claim = NonNullable<OwnDrawing['claim']>;

/** First on the page of somebody whose entry was drawn, in a browser of their own. */
export function DrawnNotice({ drawing, claim }: { drawing: OwnDrawing; claim: Claim }) {
  const words = wordsOf(claim);
  if (!words) return null;
  return (
    <section className="card drawn-notice" aria-labelledby="drawn-title">
      {words.isWin && <Confetti />}
      <h2 id="drawn-title">{words.title}</h2>
      <p>
        One of your entries was drawn on {dayInWords(drawing.drawnAt)}. {words.text}
      </p>
      <a className="button" href={claim.url}>
        {words.link}
      </a>
    </section>
  );
}

interface Words {
  isWin?: true;
  title: string;
  text: string;
  link: string;
}

/** Nothing for a claim that is over: its own page says what became of it. */
function wordsOf({ status, claimBy }: Claim): Words | undefined {
  switch (status) {
    case 'pending':
    case 'code_verified':
      return {
        isWin: true,
        title: 'You were drawn!',
        text: claimBy ? `Claim the prize by ${dayInWords(claimBy)}.` : 'Claim the prize.',
        link: 'Claim your prize',
      };
    case 'submitted':
      return {
        isWin: true,
        title: 'You were drawn!',
        text: 'We are checking your claim.',
        link: 'See your claim',
      };
    case 'verified':
      return {
        isWin: true,
        title: 'You won!',
        text: 'The prize is yours, and is sent to you.',
        link: 'See your claim',
      };
    case 'shipped':
      return {
        isWin: true,
        title: 'You won!',
        text: 'The prize is on its way to you.',
        link: 'See your claim',
      };
    case 'delivered':
      return {
        isWin: true,
        title: 'You won!',
        text: 'The prize was delivered.',
        link: 'See your claim',
      };
    case 'rejected':
      return { title: 'Your claim', text: 'Your claim was rejected.', link: 'Read why' };
    case 'declined':
    case 'expired':
    case 'unreachable':
      return undefined;
  }
}
