import type { Drawing } from './api';
import { ClaimRecord } from './ClaimRecord';
import { Failed } from './Failed';
import { prizeInWords } from './words';

/** What asking for the drawing itself has come to. */
export interface DrawingQuery {
  data?: Drawing | undefined;
  error?: unknown;
  refetch: () => unknown;
}

/** Whether something of it can still change: the drawing, or what becomes of the prize. */
export function isAwaited(drawing: Drawing | undefined): boolean {
  if (!drawing) return false;
  // The round of a void drawing may still come, until another one with its list is sealed.
  if (drawing.status === 'void') return drawing.void?.wouldHaveWon == null;
  const { status, claims, isUnclaimed } = drawing;
  if (status !== 'drawn') return true;
  return claims.length > 0 && !isUnclaimed && claims.at(-1)?.status !== 'delivered';
}

/** What has become of the prize, which the proof of a drawing does not say. */
export function ThePrize({ query: { data, error, refetch } }: { query: DrawingQuery }) {
  if (data?.claims.length === 0) return null; // not drawn yet
  return (
    <section className="card" aria-labelledby="the-prize">
      <h2 id="the-prize">The prize</h2>
      {data ? (
        <>
          {data.prize && (
            <p>
              <strong>{prizeInWords(data.prize)}</strong>
            </p>
          )}
          <ClaimRecord {...data} />
          <p className="note">
            The <a href="/rules#claiming">official rules</a> say how a prize is claimed.
          </p>
        </>
      ) : (
        <Failed error={error} onRetry={() => void refetch()} />
      )}
    </section>
  );
}
