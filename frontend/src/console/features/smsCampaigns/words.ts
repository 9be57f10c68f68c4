import type { CampaignStatusView, CampaignView } from '../../api/sms';
import { countOf } from '../../../shared/lib/format';
import { raffleName } from '../../lib/raffles';

export const statusNames: Record<CampaignStatusView, string> = {
  pending: 'Pending',
  sending: 'Sending',
  sent: 'Sent',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

type Audience = Pick<
  CampaignView,
  'targetAudience' | 'landingPageFilter' | 'customPhoneNumberCount'
>;

export function audienceOf(campaign: Audience): string {
  switch (campaign.targetAudience) {
    case 'all':
      return 'Everyone who agreed to texts';
    case 'landing_page':
      return campaign.landingPageFilter ? raffleName(campaign.landingPageFilter) : 'One raffle';
    case 'custom':
      return `A list of ${countOf(campaign.customPhoneNumberCount, 'number')}`;
  }
}

const skipReasons: Record<string, string> = {
  opted_out: 'Opted out by answering STOP',
  monthly_cap: "Already got this month's texts",
  flagged: 'Flagged',
  no_consent: 'Did not agree to texts',
  country: 'In a country that gets no texts, or toll-free',
  too_late: 'Could not be sent in time',
};

/** Why a text was not sent; a reason that is not known here is shown as it came. */
export const skipReasonOf = (reason: string): string => skipReasons[reason] ?? reason;
