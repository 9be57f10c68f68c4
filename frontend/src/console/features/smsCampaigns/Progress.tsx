import type { CampaignView } from '../../api/sms';
import { formatCount } from '../../../shared/lib/format';

/** How far a campaign has come; the figures stand under the bar, so that nobody has to read the bar. */
export function Progress({ campaign }: { campaign: CampaignView }) {
  const { campaignName, recipientCount, sentCount, errorCount, skippedCount } = campaign;
  const handled = handledOf(campaign);
  return (
    <div className="progress">
      <progress
        aria-label={`Progress of ${campaignName}`}
        max={Math.max(recipientCount, 1)}
        value={handled}
      />
      <p className="quiet-text">
        {formatCount(handled)} of {formatCount(recipientCount)}: {formatCount(sentCount)} sent,{' '}
        {formatCount(errorCount)} failed, {formatCount(skippedCount)} skipped
      </p>
    </div>
  );
}

/** How many recipients it is decided for: their text was sent, failed or was skipped. */
const handledOf = ({ sentCount, errorCount, skippedCount }: CampaignView): number =>
  sentCount + errorCount + skippedCount;
