import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { useRefresh } from '../../lib/useRefresh';
import { isOwn } from '../../lib/isOwn';
import { useGetAppealQuery, useGetUserQuery, useListEntryPackagesQuery, type Offer } from './api';
import type { BoostProps } from './Boost';
import { hasUnfinished } from './unfinished';

/** While packages are shown, so that they leave soon after the switch is off. */
const REFRESH_MS = 10_000;
const REFRESH_UNSOLD_MS = 60_000;

/** What a success page shows of buying. */
interface BoostSlot {
  /** Whether it is known yet if there is something to show: what stands below waits for it. */
  known: boolean;
  block: ReactNode;
}

/**
 * Asks whether entries are sold, and keeps asking: the switch takes effect on open pages. The rest is
 * loaded only if they are, or if a purchase has to be finished. A page that cannot fetch the packages offers
 * none and shows no error: entries do not depend on them.
 */
export function useBoost(userId: number, isOpen = true): BoostSlot {
  const { data, isSuccess, isError, refetch } = useListEntryPackagesQuery();
  const [Boost, setBoost] = useState<ComponentType<BoostProps>>();
  const [missing, setMissing] = useState(false);
  const { isKnown, isHeld } = useHold(userId);
  // Entries on hold would not count, and neither would those of a raffle that has ended: none are sold.
  const offer = data && isOffered(data) && isOpen && !isHeld ? data : undefined;
  const offered = offer !== undefined;

  useRefresh(refetch, offered ? REFRESH_MS : REFRESH_UNSOLD_MS);
  useEffect(() => {
    if (Boost || !(offered || hasUnfinished(userId))) return;
    import(/* webpackChunkName: "purchase" */ './Boost').then(
      (file) => setBoost(() => file.Boost),
      () => setMissing(true), // the page is whole without it, and a reload tries again
    );
  }, [Boost, offered, userId]);

  return {
    known: isKnown && (isSuccess || isError) && (!offered || Boost !== undefined || missing),
    block: isKnown && Boost && <Boost userId={userId} offer={offer} />,
  };
}

/** Whether the entries are on hold, as far as this browser may ask. */
function useHold(id: number) {
  const { data: user } = useGetUserQuery({ id });
  const isMine = isOwn(user, id);
  const { data, isError } = useGetAppealQuery({ id }, { skip: !isMine });
  const isKnown = user !== undefined && (!isMine || data !== undefined || isError);
  return { isKnown, isHeld: data?.onHold ?? false };
}

function isOffered({ showPricing, packages, publishableKey }: Offer): boolean {
  return showPricing && packages.length > 0 && Boolean(publishableKey);
}
