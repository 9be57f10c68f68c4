import { mixed, object, string } from 'yup';
import type { TargetAudienceView } from '../../api/sms';
import { siteTimeZone } from '../../../shared/lib/nextDrawing';
import { momentsOf } from '../../lib/siteTime';
import { numbersOf, type CampaignValues } from './campaignValues';
import { REQUIRED } from './required';
import { label } from './templateSchema';

/** The server's rules for a campaign, and which times there are. */
export const campaignSchema = object({
  templateId: string().required(REQUIRED),
  campaignName: label(),
  scheduledDate: string()
    .required(REQUIRED)
    .test(
      'skipped',
      'On that day the clocks go forward and skip this time. Choose another.',
      (time) => momentsOf(time, siteTimeZone()).length > 0,
    ),
  occurrence: mixed<CampaignValues['occurrence']>().required(),
  targetAudience: mixed<TargetAudienceView>().required(REQUIRED),
  landingPageFilter: mixed<CampaignValues['landingPageFilter']>()
    .defined()
    .when('targetAudience', {
      is: 'landing_page',
      then: (filter) => filter.test('missing', REQUIRED, Boolean),
    }),
  customPhoneNumbers: string()
    .defined()
    .when('targetAudience', {
      is: 'custom',
      then: (list) => list.test('missing', REQUIRED, (text) => numbersOf(text).length > 0),
    }),
  trackingUrlBase: string()
    .defined()
    .trim()
    .matches(/^(https?:\/\/.+)?$/, 'Write an address that begins with https:// or http://'),
});
