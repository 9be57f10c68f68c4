import type { ReactNode } from 'react';
import { PageScene } from '../../ui/PageScene';
import { Countdown } from './Countdown';
import { roundAt, useIsPast } from './stages';
import { isDrawn, type Proof, type SealedProof } from './verification/proof';
import { countOf, momentInWords, raffleNameOf } from './words';
import { siteName } from '../../../shared/lib/siteName';

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
          {proof ? raffleNameOf(proof.landingPage) : siteName}
        </p>
        <PageScene />
        <h1 tabIndex={-1}>{title}</h1>
      </section>
      <section className="ticket-stub" aria-labelledby="winning-entry">
        <h2 id="winning-entry">Drawn entry</h2>
        {proof ? <Stub proof={proof} /> : <Lines />}
        {!proof && (
          <p role="status" className="unseen">
            Loading...
          </p>
        )}
      </section>
    </div>
  );
}

/** The figure and the words below it keep their places, whatever they are. */
function Lines({ figure, children }: { figure?: ReactNode; children?: ReactNode }) {
  return (
    <>
      <p className="figure">{figure}</p>
      <p className="from">{children}</p>
    </>
  );
}

function Stub({ proof }: { proof: Proof }) {
  if (!isDrawn(proof)) return <Ahead proof={proof} />;
  return (
    <Lines figure={proof.winningEntryNumber.toLocaleString('en-US')}>
      Drawn from {entriesOf(proof)}.
      {proof.winnerLast4 && (
        <>
          {' '}
          The entry's phone number ends in <strong className="phone">{proof.winnerLast4}</strong>.
        </>
      )}
    </Lines>
  );
}

function Ahead({ proof }: { proof: SealedProof }) {
  const at = roundAt(proof);
  const isDue = useIsPast(at?.getTime());
  if (proof.status === 'void') {
    return (
      <Lines figure="None">
        This drawing is void. Its random value did not come, so nobody has won.
      </Lines>
    );
  }
  if (at && !isDue) {
    return (
      <Lines figure={<Countdown until={at.getTime()} />}>
        The list of {entriesOf(proof)} is sealed. One is drawn {momentInWords(at.toISOString())},
        with a random value that nobody knows before.
      </Lines>
    );
  }
  const since = proof.beacon.waitingSince ?? at?.toISOString();
  return (
    <Lines figure="Soon">
      {since && <span role="status">Waiting for the beacon since {momentInWords(since)}. </span>}
      The list of {entriesOf(proof)} is sealed. The result appears here by itself.
    </Lines>
  );
}

const entriesOf = ({ totalEntries, totalParticipants }: Proof): string =>
  `${countOf(totalEntries, 'entry', 'entries')} of ${countOf(totalParticipants, 'participant', 'participants')}`;
