import { raffleNames } from '../../../shared/lib/raffleNames';
import type { ThemeKey } from '../../../themes/types';
import { useGetCommitmentQuery } from './api';
import { Failed } from './Failed';
import { Hash } from './Hash';
import { momentInWords } from './words';

const raffles = Object.entries(raffleNames) as [ThemeKey, string][];

/** What is published before a drawing, for everyone to save. */
export function Commitments() {
  return (
    <section aria-labelledby="commitments">
      <h2 id="commitments">Before the next drawing</h2>
      <p className="lead">
        The random seed of each raffle’s next drawing is already fixed and sealed. Its hash is the
        commitment below. Save it, then check after the drawing that the revealed seed has this
        hash.
      </p>
      <ul className="commitments">
        {raffles.map(([landingPage, name]) => (
          <li key={landingPage} className="card">
            <h3>{name}</h3>
            <OpenCommitment landingPage={landingPage} name={name} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function OpenCommitment({ landingPage, name }: { landingPage: ThemeKey; name: string }) {
  const { data, error, refetch } = useGetCommitmentQuery({ landingPage });
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <p className="note since" aria-busy={!data}>
        {data ? `Since ${momentInWords(data.committedAt)}` : 'Loading...'}
      </p>
      <Hash name={`the commitment of ${name}`} hex={data?.commitment} />
    </>
  );
}
