import { useRef } from 'react';
import { asApiError } from '../../../shared/api/apiError';
import { countOf, formatCount } from '../../../shared/lib/format';
import { dayAheadInWords } from '../../lib/moments';
import { useClaimFreeEntriesMutation, useGetFreeEntriesQuery, type FreeOffer } from './api';

interface Props {
  userId: number;
  /** Whether this browser entered the entrant: only it claims. */
  isOwn: boolean;
  /** Where another browser can prove the entrant's number, if a code does. */
  proveAt?: string;
  onClaimed: () => void;
}

/** The same entries free, beside the packages. */
export function FreeWay({ userId, isOwn, proveAt, onClaimed }: Props) {
  const { data: offer, refetch } = useGetFreeEntriesQuery({ id: userId });
  const [claim, { data: claimed, isLoading, error }] = useClaimFreeEntriesMutation();
  /** The day that is being claimed or was, named by its end. */
  const day = useRef<string>(undefined);

  async function start() {
    if (!offer?.entries || day.current === offer.againAt) return;
    day.current = offer.againAt;
    const given = await claim({ id: userId });
    void refetch(); // another tab may have claimed them
    if ('data' in given) onClaimed();
    else day.current = undefined;
  }

  return (
    <div className="pack free">
      <h3 id="free-title">Free entries</h3>
      <p className="pack-text">
        Free every day: entries with the same chance as bought ones. On the last day before the
        drawing, you can get all that are left of this month's limit.{' '}
        <a href="/rules">Official rules</a>
      </p>
      {isOwn ? (
        <button
          type="button"
          className="button"
          aria-describedby="free-title"
          aria-disabled={isLoading || !offer?.entries || undefined}
          onClick={() => void start()}
        >
          {labelOf(offer, isLoading)}
        </button>
      ) : (
        <p className="note">
          {proveAt === undefined ? (
            'Open this page in the browser that you entered with to get them.'
          ) : (
            <>
              <a href={proveAt}>Confirm your number</a> to get them.
            </>
          )}
        </p>
      )}
      {isOwn && (
        <p className="note free-state" role="status">
          {claimed && `${countOf(claimed.entriesAdded, 'entry', 'entries')} added. `}
          {offer && stateOf(offer)}
        </p>
      )}
      {error && (
        <p className="problem" role="alert">
          {asApiError(error).sentence}
        </p>
      )}
    </div>
  );
}

/** Has a text of one line before the number is known, too, so that nothing moves. */
function labelOf(offer: FreeOffer | undefined, isLoading: boolean): string {
  if (isLoading) return 'Adding...';
  if (!offer) return 'Get free entries';
  if (offer.entries === 0) return 'No free entries left today';
  return `Get ${countOf(offer.entries, 'free entry', 'free entries')}`;
}

function stateOf({ entries, isClaimed, againAt, used, cap }: FreeOffer): string {
  if (entries)
    return `You have ${formatCount(used)} of at most ${formatCount(cap)} for this month.`;
  if (used >= cap)
    return `You have all ${formatCount(cap)} entries that one person can buy or get free in a month.`;
  if (!isClaimed) return 'A payment that you began holds the rest for up to an hour.';
  return `Come back ${dayAheadInWords(againAt)} for more.`;
}
