import type { Drawing } from './api';
import { momentInWords } from './words';

/** Which void drawing it replaces, and why it is void itself: docs/drawing.md, section 15. */
export function VoidNotice({ drawing }: { drawing: Drawing | undefined }) {
  if (!drawing) return null;
  const { void: voided, replaces, status } = drawing;
  return (
    <>
      {replaces != null && <TakesList of={replaces} />}
      {voided && <Voided voided={voided} isDrawn={status === 'drawn'} />}
    </>
  );
}

function TakesList({ of }: { of: number }) {
  return (
    <p className="card">
      This drawing takes the list of <a href={`/drawings/${of}`}>drawing {of}</a>, which is void, as
      it stands.
    </p>
  );
}

interface VoidedProps {
  voided: NonNullable<Drawing['void']>;
  isDrawn: boolean;
}

function Voided({ voided: { reason, at, hosts, wouldHaveWon }, isDrawn }: VoidedProps) {
  return (
    <section className="card" aria-labelledby="void">
      <h2 id="void">{isDrawn ? 'Void at first, and drawn after all' : 'Void'}</h2>
      <p>
        Made void {momentInWords(at)}: {reason}
      </p>
      {hosts.length > 0 && (
        <>
          <p>What the servers of the beacon answered then:</p>
          <ul>
            {hosts.map(({ host, answer }) => (
              <li key={host}>
                {host}: {answer}
              </li>
            ))}
          </ul>
        </>
      )}
      {isDrawn && <p>Its random value came later, so the drawing counts.</p>}
      {wouldHaveWon != null && (
        <p>
          Its random value came after the list was sealed again, for the next drawing. Entry{' '}
          {wouldHaveWon.toLocaleString('en-US')} would have won.
        </p>
      )}
    </section>
  );
}
