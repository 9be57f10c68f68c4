import { useEffect, useRef, type ClipboardEvent } from 'react';
import { COPIED } from '../../lib/early';
import { copyText } from '../../lib/copyText';
import { track, type Platform } from '../../lib/tracked';
import { useBriefly } from '../../lib/useBriefly';
import { useNextDrawing } from '../../ui/NextDrawing';
import { useToast } from '../../../shared/ui/toast/useToast';
import type { UserStats } from './api';
import {
  hasShareSheet,
  isBuild,
  mailHref,
  referralLink,
  shareText,
  siteOrigin,
  smsHref,
  userAgent,
  withoutScheme,
} from './share';
import { ShareLine } from './sharing/ShareLine';
import { ShowQr } from './sharing/ShowQr';
import type { Variant } from './variants';

const COPIED_MS = 2_000;

interface Props {
  variant: Variant;
  userId: number;
  /** Undefined as long as the entry is not there. */
  referralCode: string | undefined;
  stats: UserStats | undefined;
  /** Whether this browser entered. */
  isMine: boolean;
}

/** The heading and the sentence are in the built page, so that its largest text does not wait for the entry. */
export function ShareCard({ referralCode, ...props }: Props) {
  const { variant } = props;
  const isWaiting = referralCode === undefined;
  return (
    <section
      className={isWaiting ? 'card share waiting' : 'card share'}
      aria-labelledby="share-title"
      data-part="share"
    >
      <h2 id="share-title">{variant.shareHeading}</h2>
      <p>Share your referral link and get +1 entry for each friend who joins!</p>
      {isWaiting ? (
        <span role="status" className="unseen">
          Loading...
        </span>
      ) : (
        <Ways referralCode={referralCode} {...props} />
      )}
    </section>
  );
}

/** The ways to share the link. */
function Ways({ variant, userId, referralCode, stats, isMine }: Props & { referralCode: string }) {
  const nextDrawing = useNextDrawing();
  const link = referralLink(siteOrigin(), variant, referralCode);
  const { emailSubject, emailBody, textBody } = variant.share;
  const values = {
    LINK: link,
    NEXT_DRAWING: nextDrawing,
    PRIZE: variant.name,
    VALUE: variant.worth,
  };
  const text = shareText(textBody, values);
  const shared = (platform: Platform) =>
    track({ kind: 'referral_share', platform, userId, referralCode });
  return (
    <>
      <LinkField link={link} onCopied={() => shared('copy')} />
      {link && (
        <div className="channels">
          <a
            className="button quiet"
            data-share="email"
            href={mailHref(emailSubject, shareText(emailBody, values))}
            onClick={() => shared('email')}
          >
            Email
          </a>
          <a
            className="button quiet"
            data-share="sms"
            href={smsHref(text, userAgent())}
            onClick={() => shared('sms')}
          >
            Text
          </a>
          <SystemShare title={emailSubject} text={text} onShared={() => shared('system')} />
        </div>
      )}
      {isMine && link && (
        <div className="own">
          <ShareLine id={userId} stats={stats} />
          <ShowQr link={link} />
        </div>
      )}
    </>
  );
}

/** Shows the link without its scheme, on as many lines as it needs. However it is copied, it is whole. */
function LinkField({ link, onCopied }: { link: string; onCopied: () => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  // The boot script copied it before the application was there, and the page says so.
  const wasCopied = !isBuild && window.early?.copied;
  const [copied, say] = useBriefly(COPIED_MS, wasCopied ? COPIED : undefined);
  const toast = useToast();

  useEffect(() => {
    if (document.activeElement === field.current) field.current?.select(); // focused before the application was there
  }, []);

  async function copy() {
    if (!field.current || !link) {
      const description = 'Referral link is not available yet. Please try again.';
      return toast({ title: 'Error', description, tone: 'bad' });
    }
    if (!(await copyText(link, field.current))) {
      return toast({ title: 'Error', description: 'Failed to copy link', tone: 'bad' });
    }
    say(COPIED);
    onCopied();
    const description = 'Share it with your friends to get more entries.';
    toast({ title: 'Link copied!', description });
  }

  return (
    <div className="field link">
      <label htmlFor="referral-link">Your referral link</label>
      <textarea
        id="referral-link"
        ref={field}
        readOnly
        rows={2}
        value={withoutScheme(link)}
        onFocus={(event) => event.target.select()}
        onCopy={(event) => copyWhole(event, link)}
      />
      <button type="button" className="button" data-share="copy" onClick={() => void copy()}>
        {copied ?? 'Copy'}
      </button>
      <span role="status" className="unseen">
        {copied}
      </span>
    </div>
  );
}

/** For people who copy by hand, and where there is no other way to copy. A part that somebody selected stays a part. */
function copyWhole(event: ClipboardEvent<HTMLTextAreaElement>, link: string) {
  const { selectionStart, selectionEnd, value } = event.currentTarget;
  if (selectionEnd - selectionStart < value.length) return;
  event.preventDefault();
  event.clipboardData.setData('text/plain', link);
}

/** The system's own sheet, where the browser has one. */
function SystemShare(props: { title: string; text: string; onShared: () => void }) {
  if (!isBuild && !hasShareSheet()) return null;
  const { title, text, onShared } = props;
  // Closing the sheet rejects too: nothing was shared, and that needs no message.
  const share = () => void navigator.share({ title, text }).then(onShared, () => undefined);
  return (
    <button type="button" className="button quiet" onClick={share}>
      Share
    </button>
  );
}
