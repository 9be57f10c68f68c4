import { useRef } from 'react';
import { asApiError } from '../../../shared/api/apiError';
import { countOf, formatCount } from '../../../shared/lib/format';
import { momentInWords } from '../../lib/moments';
import { useClaimFreeEntriesMutation, useGetFreeEntriesQuery, type FreeOffer } from './api';

interface Props {
  userId: number;
  /** Whether this browser entered the entrant: only it claims. */
  isOwn: boolean;
  onClaimed: () => void;
}

/** The same entries free, beside the packages. */
export function FreeWay({ userId, isOwn, onClaimed }: Props) {
  const { data: offer, refetch } = useGetFreeEntriesQuery({ id: userId });
  const [claim, { data: claimed, isLoading, error }] = useClaimFreeEntriesMutation();
  /** The day that is being claimed or was, named by its end. */
  const day = useRef<string>(undefined);
  if (!offer) return null;

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
        {`No purchase needed: up to ${countOf(perDay(offer), 'free entry', 'free entries')} every day, with the same chance as bought ones.`}
      </p>
      {isOwn ? (
        <button
          type="button"
          className="button"
          aria-describedby="free-title"
          aria-disabled={isLoading || offer.entries === 0 || undefined}
          onClick={() => void start()}
        >
          {isLoading
            ? 'Adding...'
            : offer.entries > 0
              ? `Get ${countOf(offer.entries, 'free entry', 'free entries')}`
              : 'No free entries left today'}
        </button>
      ) : (
        <p className="note">Open this page in the browser that you entered with to get them.</p>
      )}
      <p className="note" role="status">
        {claimed && `${countOf(claimed.entriesAdded, 'entry', 'entries')} added. `}
        {isOwn && offer.entries === 0 && whyNone(offer)}
      </p>
      {error && (
        <p className="problem" role="alert">
          {asApiError(error).sentence}
        </p>
      )}
    </div>
  );
}

/** A 28th of the cap, rounded up: what the server gives on each day. */
const perDay = ({ cap }: FreeOffer) => Math.ceil(cap / 28);

function whyNone({ isClaimed, againAt, used, cap }: FreeOffer): string {
  if (used >= cap)
    return `You have all ${formatCount(cap)} entries that one person can buy or get free in a month.`;
  return isClaimed ? `You can get more from ${momentInWords(againAt)}.` : '';
}
