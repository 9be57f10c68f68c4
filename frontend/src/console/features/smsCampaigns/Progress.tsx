import type { CampaignView } from '../../api/sms';
import { ProgressBar } from '../../ui/ProgressBar';
import { formatCount } from '../../../shared/lib/format';

/** How far a campaign has come; the figures stand under the bar, so that nobody has to read the bar. */
export function Progress({ campaign }: { campaign: CampaignView }) {
  const { campaignName, recipientCount, sentCount, errorCount, skippedCount } = campaign;
  const handled = handledOf(campaign);
  return (
    <div className="progress">
      <ProgressBar label={`Progress of ${campaignName}`} value={handled} max={recipientCount} />
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
