import type { Drawing } from './api';
import { momentInWords } from './words';

/** Why a drawing was given up, and what came of it: docs/drawing.md, section 15. */
export function GivenUp({ drawing }: { drawing: Drawing | undefined }) {
  if (!drawing?.void) return <TakesList of={drawing?.replaces} />;
  const { status, void: given } = drawing;
  const isOverturned = status === 'drawn';
  return (
    <section className="card" aria-labelledby="given-up">
      <h2 id="given-up">{isOverturned ? 'Given up, and drawn after all' : 'Given up'}</h2>
      <p>
        {momentInWords(given.at)}: {given.reason}
      </p>
      {given.hosts.length > 0 && (
        <>
          <p>What the servers of the beacon answered then:</p>
          <ul>
            {given.hosts.map(({ host, answer }) => (
              <li key={host}>
                {host}: {answer}
              </li>
            ))}
          </ul>
        </>
      )}
      {isOverturned && (
        <p>Its random value came after that, so it counts as if it had never been given up.</p>
      )}
      {given.wouldHaveWon !== null && given.wouldHaveWon !== undefined && (
        <p>
          Its random value came after the list was sealed again. Entry{' '}
          {given.wouldHaveWon.toLocaleString('en-US')} would have won.
        </p>
      )}
    </section>
  );
}

function TakesList({ of }: { of: number | null | undefined }) {
  if (!of) return null;
  return (
    <p className="card">
      This drawing takes the list of <a href={`/drawings/${of}`}>drawing {of}</a>, which was given
      up, as it stands.
    </p>
  );
}
