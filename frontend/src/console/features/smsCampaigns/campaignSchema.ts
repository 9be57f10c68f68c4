import { mixed, object, string } from 'yup';
import type { TargetAudienceView } from '../../api/sms';
import { formatCount } from '../../../shared/lib/format';
import { siteTimeZone } from '../../../shared/lib/nextDrawing';
import { momentsOf } from '../../lib/siteTime';
import { text } from '../../form/rules';
import { isRaffle } from '../../lib/raffles';
import { isPast, momentOf, numbersOf, summaryOf, type CampaignValues } from './campaignValues';
import { REQUIRED } from './required';
import { label } from './templateSchema';

const AUDIENCES: TargetAudienceView[] = ['all', 'landing_page', 'custom'];
const MAX_NUMBERS = 100_000;
const IN_THE_PAST = 'That time is in the past. Choose a later one, or Now.';

/** The server's rules for a campaign, and which times there are. */
export const campaignSchema = object({
  templateId: string().required(REQUIRED),
  campaignName: label(),
  when: mixed<CampaignValues['when']>().oneOf(['now', 'later']).required(REQUIRED),
  scheduledDate: string()
    .defined()
    .when('when', {
      is: 'later',
      then: (time) =>
        time
          .required(REQUIRED)
          .test(
            'skipped',
            'On that day the clocks go forward and skip this time. Choose another.',
            (time) => momentsOf(time, siteTimeZone()).length > 0,
          )
          .test('past', IN_THE_PAST, (_, { parent }) => {
            const moment = momentOf(parent as CampaignValues, siteTimeZone());
            return !moment || !isPast(moment);
          }),
    }),
  occurrence: mixed<CampaignValues['occurrence']>().required(),
  targetAudience: mixed<TargetAudienceView>().oneOf(AUDIENCES, REQUIRED).required(REQUIRED),
  landingPageFilter: mixed<CampaignValues['landingPageFilter']>()
    .defined()
    .when('targetAudience', {
      is: 'landing_page',
      then: (filter) => filter.test('raffle', REQUIRED, isRaffle),
    }),
  customPhoneNumbers: string()
    .defined()
    .when('targetAudience', {
      is: 'custom',
      then: (list) =>
        list
          .test('missing', REQUIRED, (text) => numbersOf(text).length > 0)
          .test(
            'most',
            `A list has at most ${formatCount(MAX_NUMBERS)} numbers`,
            (text) => summaryOf(text).count <= MAX_NUMBERS,
          ),
    }),
  consentBasis: string()
    .defined()
    .when('targetAudience', {
      is: 'custom',
      then: () => text(200, REQUIRED, 'Use at most 200 characters'),
    }),
  trackingUrlBase: string()
    .defined()
    .trim()
    .max(60, 'Use at most 60 characters')
    .matches(/^(https?:\/\/.+)?$/, 'Enter a URL that begins with https:// or http://'),
});
