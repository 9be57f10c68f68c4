import type {
  CampaignReportView,
  CampaignResultsView,
  CampaignView,
  EstimateView,
  ReplyView,
  SmsFiguresView,
  SmsStatusView,
  SmsTemplateView,
} from '../../console/api/sms';
import { adminCall } from './handlers';

export const aTemplate = (changes: Partial<SmsTemplateView> = {}): SmsTemplateView => ({
  id: 4,
  name: 'Summer',
  landingPage: 'garden-bag',
  messageTemplate: 'Your garden waits: {LINK}',
  linkPlaceholder: '{LINK}',
  isActive: true,
  createdBy: 'anna',
  createdAt: '2026-11-20T15:00:00Z',
  updatedAt: '2026-11-20T15:00:00Z',
  ...changes,
});

export const aCampaign = (changes: Partial<CampaignView> = {}): CampaignView => ({
  id: 12,
  campaignName: 'July news',
  templateId: 4,
  templateName: 'Summer',
  scheduledDate: '2099-07-01T16:00:00Z',
  targetAudience: 'all',
  landingPageFilter: null,
  customPhoneNumbers: null,
  customPhoneNumberCount: 0,
  consentBasis: null,
  trackingUrlBase: 'https://tombola.example',
  status: 'pending',
  recipientCount: 0,
  sentCount: 0,
  deliveredCount: 0,
  errorCount: 0,
  skippedCount: 0,
  clickedCount: 0,
  ctaClickedCount: 0,
  startedAt: null,
  sentAt: null,
  createdBy: 'anna',
  createdAt: '2026-11-20T15:00:00Z',
  ...changes,
});

export const aReport = (changes: Partial<CampaignReportView> = {}): CampaignReportView => ({
  waiting: 0,
  unknown: 0,
  sent: 0,
  delivered: 0,
  failed: [],
  skipped: [],
  clicked: 0,
  ctaClicked: 0,
  ...changes,
});

export const someResults = (changes: Partial<CampaignResultsView> = {}): CampaignResultsView => ({
  funnel: [
    { step: 'recipients', count: 0, rate: null },
    { step: 'sent', count: 0, rate: null },
    { step: 'delivered', count: 0, rate: null },
    { step: 'clicked', count: 0, rate: null },
    { step: 'shared', count: 0, rate: null },
    { step: 'referred', count: 0, rate: null },
    { step: 'bought', count: 0, rate: null },
  ],
  days: 7,
  clicks: [],
  text: 'Your garden waits: https://tombola.example/planter/garden-k2m4p6r8t2w4 Reply STOP to opt out.',
  encoding: 'GSM-7',
  segments: 1,
  totalSegments: 0,
  ...changes,
});

export const anEstimate = (changes: Partial<EstimateView> = {}): EstimateView => ({
  recipients: 1_204,
  overCap: 4,
  sample: 'Your garden waits: https://tombola.example/planter/garden-k2m4p6r8t2w4',
  characters: 70,
  encoding: 'GSM-7',
  segments: 1,
  totalSegments: 1_200,
  ...changes,
});

export const aReply = (changes: Partial<ReplyView> = {}): ReplyView => ({
  id: 3,
  phoneNumber: '+15551234567',
  userId: 12,
  body: 'When is the drawing?',
  keyword: null,
  isUnclear: false,
  createdAt: '2026-11-21T15:00:00Z',
  ...changes,
});

export const smsFigures = (changes: Partial<SmsFiguresView> = {}): SmsFiguresView => ({
  totalSent: 2_000,
  delivered: 1_900,
  failed: 25,
  clicked: 500,
  ctaClicked: 125,
  deliveryRate: 95,
  clickRate: 25,
  ctaConversionRate: 6.25,
  ...changes,
});

export const anSmsStatus = (changes: Partial<SmsStatusView> = {}): SmsStatusView => ({
  configured: true,
  source: 'console',
  halted: null,
  waiting: 0,
  unknown: 0,
  putOff: 0,
  putOffUntil: null,
  quietUntil: null,
  timeZone: 'America/New_York',
  maxPerSecond: 10,
  monthlyCap: 1,
  countries: ['US', 'CA'],
  dailyBudget: 10_000,
  textsToday: 12,
  overBudget: null,
  nextBudgetAt: '2026-11-23T00:00:00Z',
  ...changes,
});

/** What the section asks for, from what a test keeps. */
interface StoredTexts {
  templates: SmsTemplateView[];
  campaigns: CampaignView[];
  analytics: SmsFiguresView;
  status: SmsStatusView;
}

export const storedTexts = (): StoredTexts => ({
  templates: [aTemplate()],
  campaigns: [],
  analytics: smsFigures(),
  status: anSmsStatus(),
});

export const smsHandlers = (stored: StoredTexts) => [
  adminCall('get', 'sms/templates', () => ({ templates: stored.templates })),
  adminCall('get', 'sms/campaigns', () => ({ campaigns: stored.campaigns })),
  adminCall('get', 'sms/analytics', () => ({ analytics: stored.analytics })),
  adminCall('get', 'sms/status', () => stored.status),
];
