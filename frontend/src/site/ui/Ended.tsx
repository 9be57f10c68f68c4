import type { Raffle } from '../../themes/types';
import { dayInWords } from '../lib/moments';

interface Props {
  raffle: Pick<Raffle, 'key' | 'openRaffles'>;
  /** Of a friend's link: it counts in any raffle. */
  referralCode?: string | undefined;
  titleId: string;
  /** Of somebody who is in it: the drawing that is still to come, or `null` once there is none. */
  lastDrawing?: LastDrawing | null | undefined;
}

interface LastDrawing {
  /** `null` while staff have not announced it. */
  dueAt: string | null;
}

/** In the place of what only an open raffle offers: its drawings, and the raffles that can be entered. */
export function Ended({ raffle, referralCode, titleId, lastDrawing }: Props) {
  const { openRaffles } = raffle;
  const rest = referralCode ? `/ref/${referralCode}` : '';
  return (
    <>
      <h2 id={titleId}>{openRaffles.length > 0 ? 'Open raffles' : 'No raffle is open now'}</h2>
      <div className="ended">
        <p>
          Nobody can enter this raffle now. {whatComes(lastDrawing)}{' '}
          <a href={`/drawings?raffle=${raffle.key}`}>See its drawings</a>
        </p>
        {openRaffles.length > 0 && (
          <ul>
            {openRaffles.map(({ key, name }) => (
              <li key={key}>
                {/* The built page knows no code: the boot script adds it before React is there. */}
                <a
                  href={`/${key}${rest}`}
                  className="button quiet"
                  data-takes-code=""
                  suppressHydrationWarning
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
}

function whatComes(last: LastDrawing | null | undefined): string {
  if (last === undefined)
    return 'A drawing that was announced still takes place, with everybody who is in it.';
  if (last === null) return 'Its last drawing is over: this number can enter another raffle.';
  const due = last.dueAt ? `, on ${dayInWords(last.dueAt)}` : '';
  return `Its last drawing is still to come${due}. Until then, this number stays in it and cannot enter another raffle.`;
}
