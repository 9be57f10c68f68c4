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
  const isNone = error !== undefined && asApiError(error).status === 409;
  if (!data && error && !isNone) return <Failed error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <div className="when note" aria-busy={!data && !isNone}>
        {data ? (
          <When drawing={data} />
        ) : isNone ? (
          'No drawing is announced now. The next one appears here before its list is frozen.'
        ) : (
          'Loading...'
        )}
      </div>
      {/* Where nothing is announced, blank lines keep its place, so that nothing moves when that is known. */}
      <div className="of-next" data-none={isNone}>
        <Hash name={`the commitment of ${name}`} hex={data?.commitment} />
      </div>
    </>
  );
}

function When({ drawing }: { drawing: Commitment }) {
  const { committedAt, sealDueAt, beacon, status } = drawing;
  return (
    <ul>
      <li>Announced {momentInWords(committedAt)}</li>
      <li>
        {status === 'sealed' ? (
          <a href={`/drawings/${drawing.drawing}`}>The list is frozen. See it</a>
        ) : (
          <>Frozen {momentInWords(sealDueAt)}</>
        )}
      </li>
      {beacon && <li>Drawn {momentInWords(beacon.expectedAt)}</li>}
    </ul>
  );
}
