import { asApiError } from '../../../shared/api/apiError';
import { raffleNames } from '../../../shared/lib/raffleNames';
import type { ThemeKey } from '../../../themes/types';
import { useGetCommitmentQuery, type Commitment } from './api';
import { Failed } from './Failed';
import { Hash } from './Hash';
import { momentInWords } from './words';

const raffles = Object.entries(raffleNames) as [ThemeKey, string][];

/** What is published before a drawing, for everyone to save. */
export function Commitments() {
  return (
    <section aria-labelledby="commitments">
      <h2 id="commitments">The next drawings</h2>
      <p className="lead">
        An announced drawing has a random seed that is already fixed and sealed. Its hash is the
        commitment below. Save it, then check later that the revealed seed has this hash.
      </p>
      <ul className="commitments">
        {raffles.map(([landingPage, name]) => (
          <li key={landingPage} className="card">
            <h3>{name}</h3>
            <NextDrawing landingPage={landingPage} name={name} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function NextDrawing({ landingPage, name }: { landingPage: ThemeKey; name: string }) {
  const { data, error, refetch } = useGetCommitmentQuery({ landingPage });
  if (data) return <Announced drawing={data} name={name} />;
  if (error && asApiError(error).status === 409) {
    return (
      <p className="note">
        No drawing is announced now. The next one appears here before its list is frozen.
      </p>
    );
  }
  if (error) return <Failed error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <p className="note" aria-busy="true">
        Loading...
      </p>
      <Hash name={`the commitment of ${name}`} hex={undefined} />
    </>
  );
}

function Announced({ drawing, name }: { drawing: Commitment; name: string }) {
  const { committedAt, sealDueAt, beacon, status } = drawing;
  return (
    <>
      <p className="note">Announced {momentInWords(committedAt)}</p>
      <p className="note">
        {status === 'sealed' ? (
          <a href={`/drawings/${drawing.drawing}`}>The list is frozen. See it</a>
        ) : (
          <>The list is frozen {momentInWords(sealDueAt)}.</>
        )}
      </p>
      {beacon && (
        <p className="note">
          Drawn {momentInWords(beacon.expectedAt)}, by round {beacon.round} of the public beacon.
        </p>
      )}
      <Hash name={`the commitment of ${name}`} hex={drawing.commitment} />
    </>
  );
}
