import type { ShareProgress } from '../api';
import { achieved, inFull, levelInWords } from '../sharing/words';

/** What the entrant's shares came to. Nothing before the first one. */
export function SharesPart({ progress }: { progress: ShareProgress }) {
  if (progress.totalShares === 0) return null;
  const list = achieved(progress);
  return (
    <section className="card shares" aria-labelledby="shares-title">
      <h2 id="shares-title">Your shares</h2>
      <p>{inFull(progress)}</p>
      {list.length > 0 && (
        <ul>
          {list.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      )}
      <p className="note">
        {levelInWords(progress)} They give no entries: each friend who joins through your link does.
      </p>
    </section>
  );
}
