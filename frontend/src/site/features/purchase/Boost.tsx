import { useCallback, useState } from 'react';
import { createPortal } from 'react-dom';
import { isMasked } from '../../../shared/lib/phone';
import { needsCodes } from '../../lib/phoneVerification';
import {
  useGetFreeEntriesQuery,
  useGetOddsQuery,
  useGetUserQuery,
  useGetUserStatsQuery,
  type Offer,
} from './api';
import { FreeWay } from './FreeWay';
import { LastPurchaseNote } from './LastPurchaseNote';
import { Odds } from './Odds';
import { Packages } from './Packages';
import { unproved } from './problems';
import { remember, type Unfinished } from './unfinished';
import { useFinish } from './useFinish';
import { useStart, type StartedOrder } from './useStart';
import { useUnfinished } from './useUnfinished';

export interface BoostProps {
  userId: number;
  /** Nothing while nothing is sold; a purchase that has begun goes on. */
  offer: Offer | undefined;
}

/** Buying entries: what is sold, the dialog in which one is paid for, and how the last one ended. */
export function Boost({ userId, offer }: BoostProps) {
  const { data: stats, refetch: refetchStats } = useGetUserStatsQuery({ id: userId });
  const { data: user } = useGetUserQuery({ id: userId });
  const { refetch: refetchOdds } = useGetOddsQuery({ id: userId }, { skip: offer === undefined });
  const isOffered = offer !== undefined;
  const refetchEntries = useCallback(() => {
    if (isOffered) void refetchOdds();
    return refetchStats();
  }, [isOffered, refetchOdds, refetchStats]);
  const finish = useFinish(refetchEntries);
  const { last, resume } = useUnfinished({ userId, finish, refetchStats: refetchEntries });
  const [order, setOrder] = useState<StartedOrder>();
  const { data: free, refetch: refetchFree } = useGetFreeEntriesQuery(
    { id: userId },
    { skip: offer === undefined },
  );
  const { start, starting, problem, failed } = useStart({
    userId,
    onOrder: (order) => {
      void refetchStats(); // another tab may have bought too: the dialog adds to what there is
      setOrder(order);
    },
  });

  // Known from the masked number, or else from the server's refusal.
  const isOther = user !== undefined && isMasked(user.phoneNumber) && needsCodes();
  const mustProve = isOther || problem === unproved;

  const proveAt = `/${user?.landingPage ?? ''}`;

  const purchaseOf = ({ pack, paymentIntentId }: StartedOrder): Unfinished => ({
    paymentIntentId,
    userId,
    packageId: pack.id,
  });
  const close = (unfinished?: Unfinished) => {
    setOrder(undefined);
    if (isOffered) void refetchFree(); // what was bought counts toward the limit of the month
    if (unfinished) resume(unfinished);
  };

  return (
    <>
      <LastPurchaseNote last={last} onRetry={resume} />
      {offer && (
        <Packages
          packages={offer.packages}
          starting={starting}
          problem={problem}
          failed={failed}
          room={free && free.cap - free.used}
          {...(mustProve && { proveAt })}
          onBuy={(pack) => void start(pack, offer.publishableKey ?? '')}
        >
          <FreeWay
            userId={userId}
            isOwn={user !== undefined && !isMasked(user.phoneNumber)}
            {...(isOther && { proveAt })}
            onClaimed={() => void refetchEntries()}
          />
          <Odds userId={userId} />
        </Packages>
      )}
      {order &&
        // Beside the page, which cannot be reached while it is paid.
        createPortal(
          <order.Dialog
            key={order.paymentIntentId}
            order={order}
            entriesNow={stats?.totalEntries}
            onPay={() => remember(purchaseOf(order))}
            onPaid={() => finish(purchaseOf(order))}
            onClose={({ isPaid }) => close(isPaid ? purchaseOf(order) : undefined)}
          />,
          document.body,
        )}
    </>
  );
}
