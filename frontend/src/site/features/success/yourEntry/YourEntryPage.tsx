import { useEffect, useRef, useState, type ReactNode } from 'react';
import { formatPhone } from '../../../../shared/lib/phone';
import { PageFrame } from '../../../ui/PageFrame';
import type { Copy } from '../../../../themes/types';
import { useGetConsentQuery, useGetShareProgressQuery, useGetUserQuery, type User } from '../api';
import { useListPaidPurchasesQuery } from '../../../api/generatedData';
import { Failed } from '../Failed';
import { isOwn } from '../../../lib/isOwn';
import { isUnknown, UnknownEntry } from '../UnknownEntry';
import { variantOf, type Variant } from '../variants';
import { ConsentSwitch } from './ConsentSwitch';
import { DrawingDay } from './DrawingDay';
import { PurchasesPart } from './PurchasesPart';
import { PushPart } from './push/PushPart';
import { usePush } from './push/usePush';
import { SharesPart } from './SharesPart';
import { YourData } from './YourData';

export interface YourEntryPageProps {
  copy: Copy;
  userId: string;
}

/** What an entrant can do beside winning: everything that would make the success page restless. */
export function YourEntryPage({ copy, userId }: YourEntryPageProps) {
  const variant = variantOf(copy);
  const id = Number(userId);
  const { data: user, error, refetch } = useGetUserQuery({ id });
  const [instead, setInstead] = useState<ReactNode>();
  const title = useFocusAtStart();

  if (instead) return instead;
  if (isUnknown(error)) return <UnknownEntry copy={copy} />;
  return (
    <PageFrame isNarrow>
      <div className="success">
        <div className="your-entry">
          {/* Not prerendered: that page has another id, and React leaves addresses as they are. */}
          <p className="back">
            {(user ?? error) && <a href={variant.successPath + userId}>Back to your entries</a>}
          </p>
          <h1 tabIndex={-1} ref={title}>
            Your entry and your data
          </h1>
          <p className="whose">
            {user && (
              <>
                Entered with <span className="phone">{formatPhone(user.phoneNumber)}</span>
              </>
            )}
          </p>
        </div>
        {error && <Failed error={error} onRetry={() => void refetch()} />}
        {!error && !user && <Waiting />}
        {user && <Parts id={id} user={user} variant={variant} onDeleted={setInstead} />}
      </div>
      <noscript>
        <p>This page needs JavaScript. Turn it on and reload the page.</p>
      </noscript>
    </PageFrame>
  );
}

/** The page is read from its title on, unless the visitor was faster. */
function useFocusAtStart() {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) title.current?.focus({ preventScroll: true });
  }, []);
  return title;
}

interface PartsProps {
  id: number;
  user: User;
  variant: Variant;
  /** The entrant is deleted: what the page shows from then on. */
  onDeleted: (instead: ReactNode) => void;
}

/** All at once, so that nothing is pushed down. */
function Parts({ id, user, variant, onDeleted }: PartsProps) {
  const isMine = isOwn(user, id);
  const consent = useGetConsentQuery({ id }, { skip: !isMine });
  const progress = useGetShareProgressQuery({ id }, { skip: !isMine });
  const bought = useListPaidPurchasesQuery({ id }, { skip: !isMine });
  const push = usePush(id, isMine);
  if (consent.isLoading || progress.isLoading || bought.isLoading || push.state === 'loading')
    return <Waiting />;
  return (
    <>
      {!isMine && (
        <p>
          Only the browser that you entered with shows your settings and your data. To have them
          here, enter again with the same phone number: nothing is added twice.
        </p>
      )}
      <DrawingDay
        prize={variant.prize}
        raffle={variant.raffle}
        isOpen={variant.isOpen}
        push={isMine && <PushPart push={push} />}
      />
      {consent.error && <Failed error={consent.error} onRetry={() => void consent.refetch()} />}
      {consent.data && <ConsentSwitch id={id} />}
      {bought.error && <Failed error={bought.error} onRetry={() => void bought.refetch()} />}
      {bought.data && <PurchasesPart id={id} purchases={bought.data.purchases} />}
      {progress.data && <SharesPart progress={progress.data} />}
      {isMine && <YourData id={id} phoneNumber={user.phoneNumber} onDeleted={onDeleted} />}
    </>
  );
}

/** Keeps the place of the first part. */
function Waiting() {
  return (
    <div className="card waiting" role="status">
      <span className="unseen">Loading...</span>
    </div>
  );
}
