import type { ReactNode } from 'react';
import { useSmsStatusQuery, type SmsStatusView } from '../../api/sms';
import { countOf, formatCount, formatDateTime } from '../../../shared/lib/format';
import { zoneNameAt } from '../../lib/siteTime';
import { useMay } from '../../session/me';
import { QueryLink } from '../../ui/QueryLink';
import { QueryView } from '../../ui/states';
import { polled } from '../../lib/polled';

const EVERY_MS = 15_000;

/** What holds texts back, if anything does; nothing while all is well. */
export function SendingNotices() {
  const status = useSmsStatusQuery(undefined, polled(EVERY_MS));
  return (
    <div className="sms-notices">
      <QueryView query={status} loading={<></>}>
        {(known) => <Notices status={known} />}
      </QueryView>
    </div>
  );
}

function Notices({ status }: { status: SmsStatusView }) {
  const { configured, halted, waiting, unknown, quietUntil, timeZone, overBudget } = status;
  const { putOff, putOffUntil } = status;
  const next = waiting - putOff;
  return (
    <>
      {halted === 'credentials_unreadable' && (
        <Notice title="The saved Twilio account cannot be opened">
          It was encrypted with a key that this server does not have. Nothing is sent and nothing is
          lost: texts wait until the credentials are saved again or the server's operator restores
          the key. <ToSettings />
        </Notice>
      )}
      {!configured && halted !== 'credentials_unreadable' && (
        <Notice title="Texts are not configured">
          Nothing is sent and nothing is lost: texts wait until the provider's credentials are
          saved. <ToSettings />
        </Notice>
      )}
      {halted === 'credentials_refused' && (
        <Notice title="The provider rejects the credentials">
          Nothing is sent until they are corrected. <ToSettings />
        </Notice>
      )}
      {overBudget && (
        <Notice title={budgetTitles[overBudget]}>
          {countOf(status.textsToday, 'text')} of {formatCount(status.dailyBudget)} are used, not
          counting campaigns. {budgetEffects[overBudget]} until{' '}
          {timeIn(status.nextBudgetAt, timeZone)}. If so many sign-ups are real, raise
          SMS_DAILY_BUDGET.
        </Notice>
      )}
      {next > 0 && (
        <Notice title={`${countOf(next, 'text')} ${next === 1 ? 'is' : 'are'} waiting`} info>
          {next === 1 ? 'It is' : 'They are'} sent as soon as possible.
        </Notice>
      )}
      {putOffUntil && (
        <Notice
          title={`${countOf(putOff, 'text')} ${putOff === 1 ? 'waits' : 'wait'} for the recipient's hours`}
          info
        >
          Texts go out when it is day at the recipient's area code, and when that state allows them.
          The first may be sent at {timeIn(putOffUntil, timeZone)}.
        </Notice>
      )}
      {unknown > 0 && (
        <Notice title={`${countOf(unknown, 'text')} may or may not have been sent`}>
          The provider did not say. {unknown === 1 ? 'It is' : 'They are'} not sent again before it
          does.
        </Notice>
      )}
      {quietUntil && (
        <Notice title={`Quiet hours until ${timeIn(quietUntil, timeZone)}`} info>
          That is for recipients in the site's time zone. Others follow the clock of their area
          code. Codes and test texts go out at any hour.
        </Notice>
      )}
    </>
  );
}

type OverBudget = NonNullable<SmsStatusView['overBudget']>;

const budgetTitles: Record<OverBudget, string> = {
  welcomes: "Today's budget of texts is half used",
  sign_ups: "Today's budget of texts is nearly used up",
  codes: "Today's budget of texts is used up",
};

/** What each stage stops, with the stages before it. */
const budgetEffects: Record<OverBudget, string> = {
  welcomes: 'Welcome texts wait',
  sign_ups: 'Nobody can sign up or get their page back with a code, and welcome texts wait',
  codes: 'No codes are sent, not even to winners, and welcome texts wait',
};

const timeIn = (moment: string, timeZone: string) =>
  `${formatDateTime(moment)} ${zoneNameAt(new Date(moment), timeZone)}`;

function ToSettings() {
  const mayAct = useMay('save_credentials');
  if (!mayAct) return 'An owner can do that.';
  return (
    <QueryLink change={{ section: 'settings' }} clear>
      Open Settings
    </QueryLink>
  );
}

interface NoticeProps {
  title: string;
  info?: boolean;
  children: ReactNode;
}

function Notice({ title, info = false, children }: NoticeProps) {
  return (
    <div className="notice" data-tone={info ? 'info' : undefined}>
      <p>
        <strong>{title}</strong>
      </p>
      <p>{children}</p>
    </div>
  );
}
