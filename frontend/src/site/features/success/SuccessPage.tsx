import { useSyncExternalStore, type ReactNode } from 'react';
import { formatPhone } from '../../../shared/lib/phone';
import { Ended } from '../../ui/Ended';
import { PageScene } from '../../ui/PageScene';
import { NextDrawing } from '../../ui/NextDrawing';
import { PageFrame } from '../../ui/PageFrame';
import type { Copy, Raffle } from '../../../themes/types';
import {
  useGetAppealQuery,
  useGetUserQuery,
  useGetUserStatsQuery,
  useListReferralsQuery,
  type OwnDrawing,
  type User,
  type UserStats,
} from './api';
import { Failed } from './Failed';
import { inFigures } from './inFigures';
import type { Arrival } from '../../lib/early';
import { isOwn } from '../../lib/isOwn';
import { dayInWords } from '../../lib/moments';
import { Referrals } from './Referrals';
import { ShareCard } from './ShareCard';
import { StandingNotice } from './StandingNotice';
import { OnHold, StatTickets } from './StatTickets';
import { isUnknown, UnknownEntry } from './UnknownEntry';
import { variantOf, yourEntryPath, type Variant } from './variants';

export interface SuccessPageProps {
  copy: Copy;
  userId: string;
  /** Said once, to people whose number was entered before. */
  arrival?: Arrival | undefined;
  /** Stands between the share card and the friends, who wait until it is known. */
  boost?: { known: boolean; block: ReactNode };
}

const noBoost = { known: true, block: null };

export function SuccessPage({ copy, userId, arrival, boost = noBoost }: SuccessPageProps) {
  const variant = variantOf(copy);
  const id = Number(userId);
  const user = useGetUserQuery({ id });
  const stats = useGetUserStatsQuery({ id });
  const { data: standing } = useGetAppealQuery({ id }, { skip: !isOwn(user.data, id) });
  useListReferralsQuery({ id }); // asked for at once, shown by BelowSharing

  if (isUnknown(user.error)) return <UnknownEntry copy={copy} />;
  return (
    <PageFrame isNarrow aside={variant.isGeneric && <YourEntries stats={stats.data} />}>
      <div className="success">
        <StandingNotice id={id} user={user.data} />
        <Greeting
          variant={variant}
          user={user.data}
          arrival={arrival}
          isHeld={standing?.onHold ?? false}
        />
        {!variant.isOpen && <HasEnded raffle={copy.raffle} lastDrawing={user.data?.lastDrawing} />}
        {user.error ? (
          <Failed error={user.error} onRetry={() => void user.refetch()} />
        ) : variant.waitsForUser && !user.data ? (
          <p role="status" className="needs-script" data-part="all">
            Loading...
          </p>
        ) : (
          <>
            <StatTickets stats={stats.data} />
            <OnHold stats={stats.data} />
            {stats.error && <Failed error={stats.error} onRetry={() => void stats.refetch()} />}
            {variant.isOpen && (
              <ShareCard
                variant={variant}
                userId={id}
                referralCode={user.data?.referralCode}
                stats={stats.data}
                isMine={user.data !== undefined && isOwn(user.data, id)}
              />
            )}
            {user.data && (
              <BelowSharing
                id={id}
                user={user.data}
                variant={variant}
                friends={stats.data?.referralCount}
                lost={standing?.drawing?.claim === null ? standing.drawing : undefined}
                boost={boost}
              />
            )}
          </>
        )}
      </div>
      <noscript>
        <p>Your entries and your referral link need JavaScript. Turn it on and reload this page.</p>
      </noscript>
    </PageFrame>
  );
}

interface GreetingProps {
  variant: Variant;
  user: User | undefined;
  arrival: Arrival | undefined;
  /** The entries are on hold: the notice above says why. */
  isHeld: boolean;
}

/** Says the same in as many lines before and after the record is there, so that nothing moves. */
function Greeting({ variant, user, arrival, isHeld }: GreetingProps) {
  return (
    <div className="greeting">
      <PageScene palette={variant.palette} />
      <div>
        <h1 tabIndex={-1}>{titleOf(variant, isHeld)}</h1>
        <p className="lead">
          {isHeld ? 'For now, they take part in no drawing.' : leadOf(variant, arrival)}
        </p>
        {variant.isOpen && (
          <p className="drawing">
            Next Drawing: <NextDrawing />
          </p>
        )}
        <p className="whose" data-part="whose">
          {user && (
            <>
              Entered with <span className="phone">{formatPhone(user.phoneNumber)}</span>
            </>
          )}
        </p>
      </div>
    </div>
  );
}

function titleOf({ isOpen, title }: Variant, isHeld: boolean): string {
  if (!isOpen) return 'This raffle has ended';
  return isHeld ? 'Your Entries' : title;
}

function leadOf({ isOpen, prize }: Variant, arrival: Arrival | undefined): string {
  if (!isOpen) return `You entered to win ${prize}.`;
  if (arrival === 'again')
    return `This number is already entered to win ${prize}. Your entries haven't changed.`;
  if (arrival === 'moved')
    return `The raffle you were in is over. You're entered to win ${prize} now, with one new entry.`;
  return `You're entered to win ${prize}.`;
}

const neverChanges = () => () => undefined;

interface HasEndedProps {
  raffle: Raffle;
  lastDrawing: User['lastDrawing'] | undefined;
}

function HasEnded({ raffle, lastDrawing }: HasEndedProps) {
  // The page was filled before React, without this: React finds the page as it is, and says it then.
  const last = useSyncExternalStore(
    neverChanges,
    () => lastDrawing,
    () => undefined,
  );
  return (
    <section className="card" aria-labelledby="ended-title">
      <Ended raffle={raffle} lastDrawing={last} titleId="ended-title" />
    </section>
  );
}

interface BelowSharingProps {
  id: number;
  user: User;
  variant: Variant;
  /** How many there are in all, if that is known. */
  friends: number | undefined;
  /** The last drawing, if the entrant has no claim to its prize. */
  lost: OwnDrawing | undefined;
  boost: { known: boolean; block: ReactNode };
}

/** What can be had and what came of the link. Each part comes with all that stands above it, so that nothing is pushed down. */
function BelowSharing({ id, user, variant, friends, lost, boost }: BelowSharingProps) {
  const { data, error, isLoading, refetch } = useListReferralsQuery({ id });
  return (
    <>
      {boost.known && lost && (
        <p className="note">
          The raffle was drawn on {dayInWords(lost.drawnAt)}, and another entry came first.
          {variant.isOpen && ' Yours stay in for the next drawing.'}{' '}
          <a href={`/drawings/${lost.id}`}>See the drawing</a>
        </p>
      )}
      {boost.block}
      {boost.known && error && <Failed error={error} onRetry={() => void refetch()} />}
      {boost.known && data && (
        <Referrals variant={variant} referrals={data} count={friends ?? data.length} />
      )}
      {variant.isGeneric && boost.known && !isLoading && <WhatHappensNext />}
      {boost.known && !isLoading && isOwn(user, id) && (
        <p className="links">
          <a href={yourEntryPath(variant, id)}>Your entry and your data</a>
        </p>
      )}
    </>
  );
}

function YourEntries({ stats }: { stats: UserStats | undefined }) {
  return (
    <p className="your-entries" data-part="your-entries">
      Your Entries <span className="figure">{stats && inFigures(stats).total}</span>
    </p>
  );
}

function WhatHappensNext() {
  return (
    <section className="next" aria-labelledby="next-title">
      <h2 id="next-title">What Happens Next?</h2>
      <div className="pair">
        <div className="card">
          <h3>Monthly Drawing</h3>
          <p>
            Every month we draw one entry at random. The drawing is planned for the 1st. Your
            entries stay in for later drawings.
          </p>
        </div>
        <div className="card">
          <h3>Stay Updated</h3>
          <p>
            If you win, we send you a victory text. About upcoming raffles we send at most 1 text
            per month.
          </p>
        </div>
      </div>
    </section>
  );
}
