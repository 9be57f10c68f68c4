import { Mark } from './Mark';
import { couldHaveKnown, roundAt } from './stages';
import { detailsOf, prizeOf } from './verification/details';
import { WITHOUT_BEACON, isDrawn, type Proof } from './verification/proof';
import { countOf, momentInWords, periodInWords } from './words';

interface Props {
  proof: Proof;
  /** When this browser kept the seal, if that was before the beacon's round. */
  keptAt: string | undefined;
}

/** What was fixed when: docs/drawing.md, sections 2, 5 and 7. */
export function Timeline({ proof, keptAt }: Props) {
  return (
    <>
      {proof.kind === 'additional' && <Additional proof={proof} />}
      <ol className="stages">
        <Announced proof={proof} />
        <Sealed proof={proof} />
        <Drawn proof={proof} />
      </ol>
      {couldHaveKnown(proof) && (
        <p className="finding">
          <Mark state="unknown" />
          <strong>{WITHOUT_BEACON}</strong>
        </p>
      )}
      <SealTime proof={proof} keptAt={keptAt} />
    </>
  );
}

function Additional({ proof }: { proof: Proof }) {
  const { reason } = detailsOf(proof.announcement);
  const prize = prizeOf(proof.announcement);
  return (
    <p>
      This is an extra drawing for {periodInWords(proof.period)}
      {typeof reason === 'string' && <>. Its reason: {reason}</>}
      {prize && <>. Its prize: {prize.name}</>}.
    </p>
  );
}

function Announced({ proof }: { proof: Proof }) {
  const at = roundAt(proof);
  const { cutOff } = detailsOf(proof.announcement);
  return (
    <li>
      <h3>Announced {momentInWords(proof.committedAt)}</h3>
      <p>
        This fixed the raffle, the period ({periodInWords(proof.period)}), the hash of the seed
        {typeof cutOff === 'string' && <>, that entries count until {momentInWords(cutOff)}</>}
        {proof.beacon.chainHash === 'off' ? (
          <>. No random beacon was used.</>
        ) : (
          <>
            , and which random value decides: round {proof.beacon.round.toLocaleString('en-US')} of
            a public beacon
            {at && <>, due {momentInWords(at.toISOString())}</>}.
          </>
        )}
      </p>
    </li>
  );
}

function Sealed({ proof }: { proof: Proof }) {
  const { leftOut } = detailsOf(proof.seal);
  const prize = prizeOf(proof.announcement);
  return (
    <li>
      <h3>Sealed {momentInWords(proof.seal.at)}</h3>
      <p>
        This froze the list: {countOf(proof.totalEntries, 'entry', 'entries')} of{' '}
        {countOf(proof.totalParticipants, 'participant', 'participants')}
        {prize && <>, for {prize.name}</>}. The seed was revealed. Later entries, flags and refunds
        could not change the drawing. {leftOutInWords(leftOut)}
      </p>
    </li>
  );
}

function Drawn({ proof }: { proof: Proof }) {
  if (!isDrawn(proof)) {
    return (
      <li>
        <h3>{proof.status === 'void' ? 'Not drawn' : 'Not drawn yet'}</h3>
        <p>
          {proof.status === 'void'
            ? 'The random value did not come for a week, so the drawing is void.'
            : 'The random value decides. Nobody can know it before, and nothing else can be chosen anymore.'}
        </p>
      </li>
    );
  }
  return (
    <li>
      <h3>Drawn {momentInWords(proof.drawnAt)}</h3>
      <p>
        {proof.beacon.chainHash === 'off'
          ? 'The seed and the list alone gave'
          : 'The random value, the seed and the list gave'}{' '}
        entry {proof.winningEntryNumber.toLocaleString('en-US')}.
        {proof.ranks.length > 1 &&
          ` They also gave ${countOf(proof.ranks.length - 1, 'alternate', 'alternates')}, in case the prize is not claimed.`}
      </p>
    </li>
  );
}

function SealTime({ proof, keptAt }: Props) {
  if (proof.beacon.chainHash === 'off') return null;
  return (
    <p className="finding">
      <Mark state={keptAt ? 'ok' : 'unknown'} />
      <span>
        {keptAt ? (
          <>
            Sealed before the beacon: your browser has kept the seal since {momentInWords(keptAt)}.
          </>
        ) : (
          <>
            This browser didn't see the list before the draw. Visit before the next one and it will
            check for you.
          </>
        )}
      </span>
    </p>
  );
}

/** Counts are the server's; what is not a count is not shown. */
function leftOutInWords(leftOut: unknown): string {
  const counts = (typeof leftOut === 'object' && leftOut !== null ? leftOut : {}) as Record<
    string,
    unknown
  >;
  const reasons = { flagged: 'flagged', duplicate: 'a duplicate', disputed: 'in a dispute' };
  const parts = Object.entries(reasons)
    .map(([member, words]) => ({ count: Number(counts[member] ?? 0), words }))
    .filter(({ count }) => count > 0)
    .map(({ count, words }) => `${count.toLocaleString('en-US')} ${words}`);
  return parts.length ? `Left out: ${parts.join(', ')}.` : '';
}
