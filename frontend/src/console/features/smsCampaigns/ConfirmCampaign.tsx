import { countOf, formatCount } from '../../../shared/lib/format';
import { siteTimeZone } from '../../../shared/lib/nextDrawing';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import type { Asked } from './useCampaignForm';
import { Moment } from './WhenInWords';

interface Props {
  asked: Asked;
  /** Whether a campaign is changed. */
  isEdit: boolean;
  isScheduling: boolean;
  problem: string | undefined;
  onConfirm: () => void;
  onClose: () => void;
}

/** What would be sent to how many, before it is. */
export function ConfirmCampaign(props: Props) {
  const { asked, isEdit, isScheduling, problem, onConfirm, onClose } = props;
  const { body, estimate } = asked;
  const { recipients, overCap, sample, encoding, segments, totalSegments } = estimate;
  const busy = isEdit ? 'Saving...' : 'Scheduling...';
  const later = isEdit ? 'Save campaign' : 'Schedule Campaign';
  return (
    <ConfirmDialog
      title={`${body.startNow ? 'Send' : isEdit ? 'Change' : 'Schedule'} ${body.campaignName}?`}
      confirmLabel={isScheduling ? busy : body.startNow ? 'Send now' : later}
      busy={isScheduling}
      problem={problem}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {body.scheduledDate ? (
        <Moment moment={new Date(body.scheduledDate)} />
      ) : (
        <p className="sms-past">It is sent now, as soon as you confirm.</p>
      )}
      <dl className="sms-facts">
        <div>
          <dt>Recipients</dt>
          <dd>{formatCount(recipients)}</dd>
        </div>
        <div>
          <dt>Segments per text</dt>
          <dd>{formatCount(segments)}</dd>
        </div>
        <div>
          <dt>Total segments</dt>
          <dd>{formatCount(totalSegments)}</dd>
        </div>
      </dl>
      {recipients === 0 && <p className="sms-past">Right now, nobody would get it.</p>}
      {overCap > 0 && (
        <p>
          {countOf(overCap, 'recipient')} had {monthOf(body.scheduledDate)}&apos;s texts already and{' '}
          {overCap === 1 ? 'is' : 'are'} skipped.
        </p>
      )}
      <p className="sms-bubble">{sample}</p>
      <p className="quiet-text">
        As one recipient gets it, in {encoding}. Recipients are rechecked at send time.
      </p>
    </ConfirmDialog>
  );
}

/** The month whose texts count, where the site is. */
function monthOf(start: string | null | undefined): string {
  const inWords = (moment: Date) =>
    moment.toLocaleDateString('en-US', {
      timeZone: siteTimeZone(),
      month: 'long',
      year: 'numeric',
    });
  const now = inWords(new Date());
  const month = start ? inWords(new Date(start)) : now;
  return month === now ? 'this month' : month;
}
