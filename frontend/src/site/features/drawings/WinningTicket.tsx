import { PageScene } from '../../ui/PageScene';
import type { Proof } from './api';
import { countOf, raffleNameOf } from './words';

interface Props {
  title: string;
  /** Before it is there, the ticket is blank. */
  proof: Proof | undefined;
}

export function WinningTicket({ title, proof }: Props) {
  return (
    <div className="ticket winning" aria-busy={!proof}>
      <section className="ticket-body">
        {/* Another element once its words are known: centred words that grow would count as moving. */}
        <p className="ribbon" key={proof?.landingPage}>
          {proof ? raffleNameOf(proof.landingPage) : 'Tombola'}
        </p>
        <PageScene />
        <h1 tabIndex={-1}>{title}</h1>
      </section>
      <section className="ticket-stub" aria-labelledby="winning-entry">
        <h2 id="winning-entry">Winning entry</h2>
        <p className="figure">{proof?.winningEntryNumber.toLocaleString('en-US')}</p>
        <p className="from">
          {proof && (
            <>
              Drawn from {countOf(proof.totalEntries, 'entry', 'entries')} of{' '}
              {countOf(proof.totalParticipants, 'participant', 'participants')}. The winner’s phone
              number ends in <strong className="phone">{proof.winnerLast4}</strong>.
            </>
          )}
        </p>
        {!proof && (
          <p role="status" className="unseen">
            Loading...
          </p>
        )}
      </section>
    </div>
  );
}
