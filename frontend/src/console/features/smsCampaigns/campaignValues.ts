import type { TargetAudienceView, CampaignBody, CampaignView } from '../../api/sms';
import type { LandingPageView } from '../../api/admin';
import { normalizePhone } from '../../../shared/lib/phone';
import { momentsOf, wallTimeOf } from '../../lib/siteTime';

/** What stands in the form; named as the server names it, so that its messages find their inputs. */
export interface CampaignValues {
  templateId: string;
  campaignName: string;
  when: 'now' | 'later';
  /** For later. As the clocks of the site show it: `2026-11-21T15:04`. */
  scheduledDate: string;
  /** Which of two, where the clocks show a time twice. */
  occurrence: 'first' | 'second';
  targetAudience: TargetAudienceView;
  landingPageFilter: LandingPageView;
  /** Separated by commas or lines. */
  customPhoneNumbers: string;
  /** Why the listed numbers may be texted. */
  consentBasis: string;
  trackingUrlBase: string;
}

export const newCampaign: CampaignValues = {
  templateId: '',
  campaignName: '',
  when: 'later',
  scheduledDate: '',
  occurrence: 'first',
  targetAudience: 'all',
  landingPageFilter: '',
  customPhoneNumbers: '',
  consentBasis: '',
  trackingUrlBase: '',
};

const NAME_CHARS = 80;
const AGAIN = ' (again)';

/** What a campaign was scheduled with. It has to have its whole list. */
export function valuesOf(campaign: CampaignView, timeZone: string): CampaignValues {
  const { scheduledDate, landingPageFilter, customPhoneNumbers, trackingUrlBase } = campaign;
  const moment = new Date(scheduledDate);
  const wallTime = wallTimeOf(moment, timeZone);
  const isSecond = (momentsOf(wallTime, timeZone)[1]?.getTime() ?? Infinity) <= moment.getTime();
  return {
    templateId: String(campaign.templateId),
    campaignName: campaign.campaignName,
    when: 'later',
    scheduledDate: wallTime,
    occurrence: isSecond ? 'second' : 'first',
    targetAudience: campaign.targetAudience,
    landingPageFilter: landingPageFilter ?? '',
    customPhoneNumbers: (customPhoneNumbers ?? []).join('\n'),
    consentBasis: campaign.consentBasis ?? '',
    trackingUrlBase: trackingUrlBase === location.origin ? '' : trackingUrlBase,
  };
}

/** The same for a new campaign, which needs a time and a name of its own. */
export function againOf(campaign: CampaignView, timeZone: string): CampaignValues {
  const name = [...campaign.campaignName].slice(0, NAME_CHARS - AGAIN.length).join('');
  return {
    ...valuesOf(campaign, timeZone),
    campaignName: name + AGAIN,
    scheduledDate: '',
    occurrence: 'first',
  };
}

/** When it is to be sent; undefined for no time, or for one that the clocks skip. */
export function momentOf(
  { scheduledDate, occurrence }: Pick<CampaignValues, 'scheduledDate' | 'occurrence'>,
  timeZone: string,
): Date | undefined {
  const moments = momentsOf(scheduledDate, timeZone);
  return occurrence === 'second' ? moments.at(-1) : moments[0];
}

/** Whether the minute is over: then the server refuses it. */
export const isPast = (moment: Date): boolean => Date.now() - moment.getTime() >= 60_000;

/** The numbers of a list as they were typed. */
export const numbersOf = (list: string): string[] =>
  list
    .split(/[,;\n]/)
    .map((number) => number.trim())
    .filter(Boolean);

interface ListSummary {
  /** How many different numbers there are. */
  count: number;
  /** The numbers that stand there more than once, each as it was typed first. */
  repeated: string[];
}

export function summaryOf(list: string): ListSummary {
  const spellings = new Map<string, string>();
  const repeated = new Map<string, string>();
  for (const number of numbersOf(list)) {
    const key = normalizePhone(number);
    const first = spellings.get(key);
    if (first === undefined) spellings.set(key, number);
    else repeated.set(key, first);
  }
  return { count: spellings.size, repeated: [...repeated.values()] };
}

/** An estimate needs less; what is scheduled has a name. */
export type NamedCampaign = CampaignBody & { campaignName: string };

/** What the server is sent, once the schema has found that nothing is missing. */
export function bodyOf(values: CampaignValues, timeZone: string): NamedCampaign {
  const { targetAudience, landingPageFilter, trackingUrlBase } = values;
  return {
    templateId: Number(values.templateId),
    campaignName: values.campaignName.trim(),
    ...(values.when === 'now'
      ? { startNow: true }
      : { scheduledDate: momentOf(values, timeZone)?.toISOString() ?? '' }),
    targetAudience,
    ...(targetAudience === 'landing_page' && landingPageFilter && { landingPageFilter }),
    ...(targetAudience === 'custom' && {
      customPhoneNumbers: numbersOf(values.customPhoneNumbers),
      consentBasis: values.consentBasis.trim(),
    }),
    ...(trackingUrlBase.trim() && { trackingUrlBase: trackingUrlBase.trim() }),
  };
}
