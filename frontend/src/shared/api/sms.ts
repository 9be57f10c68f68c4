/** Staff's calls about texts as screens use them: what a change makes stale, and how many campaigns there are in all. */
import { totalOf, type LandingPageView } from './admin';
import { adminApi } from './adminApi';

export interface SmsTemplateView {
  id: number;
  name: string;
  landingPage: LandingPageView;
  messageTemplate: string;
  linkPlaceholder: string;
  isActive: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface SmsTemplateBody {
  name: string;
  landingPage: LandingPageView;
  messageTemplate: string;
  linkPlaceholder?: string;
  isActive?: boolean;
}

export type AudienceView = 'all' | 'landing_page' | 'custom';
export type CampaignStatusView = 'pending' | 'sending' | 'sent' | 'failed' | 'cancelled';

export interface CampaignView {
  id: number;
  campaignName: string;
  templateId: number;
  templateName: string;
  scheduledDate: string;
  targetAudience: AudienceView;
  landingPageFilter: LandingPageView | null;
  customPhoneNumbers: string[] | null;
  customPhoneNumberCount: number;
  trackingUrlBase: string;
  status: CampaignStatusView;
  recipientCount: number;
  sentCount: number;
  deliveredCount: number;
  errorCount: number;
  skippedCount: number;
  clickedCount: number;
  ctaClickedCount: number;
  startedAt: string | null;
  sentAt: string | null;
  createdAt: string;
}

export interface CampaignBody {
  templateId: number;
  campaignName: string;
  scheduledDate: string;
  targetAudience: AudienceView;
  landingPageFilter?: LandingPageView;
  customPhoneNumbers?: string[];
  trackingUrlBase?: string;
}

export interface EstimateView {
  recipients: number;
  overCap: number;
  sample: string;
  characters: number;
  encoding: 'GSM-7' | 'UCS-2';
  segments: number;
  totalSegments: number;
}

export interface ReasonCountView {
  reason: string;
  count: number;
}

export interface CampaignReportView {
  waiting: number;
  unknown: number;
  sent: number;
  delivered: number;
  failed: ReasonCountView[];
  skipped: ReasonCountView[];
  clicked: number;
  ctaClicked: number;
}

export interface SmsAnalyticsView {
  totalSent: number;
  delivered: number;
  failed: number;
  clicked: number;
  ctaClicked: number;
  deliveryRate: number;
  clickRate: number;
  ctaConversionRate: number;
}

export interface SmsStatusView {
  configured: boolean;
  source: 'console' | 'environment' | null;
  halted: 'credentials_refused' | null;
  waiting: number;
  unknown: number;
  quietUntil: string | null;
  timeZone: string;
  maxPerSecond: number;
  monthlyCap: number;
}

const tagged = adminApi.enhanceEndpoints({
  addTagTypes: ['SmsTemplates', 'Campaigns', 'SmsAnalytics', 'SmsStatus', 'StoredData', 'AuditLog'],
});

export const sms = tagged.injectEndpoints({
  endpoints: (build) => ({
    listSmsTemplates: build.query<{ templates: SmsTemplateView[] }, void>({
      query: () => ({ url: '/api/admin/sms/templates' }),
      providesTags: ['SmsTemplates'],
    }),
    createSmsTemplate: build.mutation<SmsTemplateView, { smsTemplateBody: SmsTemplateBody }>({
      query: ({ smsTemplateBody }) => ({
        url: '/api/admin/sms/templates',
        method: 'POST',
        body: smsTemplateBody,
      }),
      // After a failure too: an answer that was lost on its way may have made one.
      invalidatesTags: ['SmsTemplates', 'StoredData', 'AuditLog'],
    }),
    updateSmsTemplate: build.mutation<
      SmsTemplateView,
      { id: number; smsTemplateBody: SmsTemplateBody }
    >({
      query: ({ id, smsTemplateBody }) => ({
        url: `/api/admin/sms/templates/${id}`,
        method: 'PUT',
        body: smsTemplateBody,
      }),
      invalidatesTags: ['SmsTemplates', 'Campaigns', 'AuditLog'],
    }),
    listCampaigns: build.query<
      { campaigns: CampaignView[]; totalCount: number },
      { limit?: number; offset?: number }
    >({
      query: (params) => ({ url: '/api/admin/sms/campaigns', params }),
      transformResponse: (list: { campaigns: CampaignView[] }, response) => ({
        ...list,
        totalCount: totalOf(response, list.campaigns),
      }),
      providesTags: ['Campaigns'],
    }),
    findCampaign: build.query<
      { campaign: CampaignView; report: CampaignReportView },
      { id: number }
    >({
      query: ({ id }) => ({ url: `/api/admin/sms/campaigns/${id}` }),
      providesTags: ['Campaigns'],
    }),
    estimateCampaign: build.mutation<EstimateView, { campaignBody: CampaignBody }>({
      query: ({ campaignBody }) => ({
        url: '/api/admin/sms/campaigns/estimate',
        method: 'POST',
        body: campaignBody,
      }),
    }),
    scheduleCampaign: build.mutation<
      CampaignView,
      { 'Idempotency-Key'?: string; campaignBody: CampaignBody }
    >({
      query: ({ campaignBody, 'Idempotency-Key': key }) => ({
        url: '/api/admin/sms/campaigns/schedule',
        method: 'POST',
        body: campaignBody,
        headers: { 'Idempotency-Key': key },
      }),
      // After a failure too, as above.
      invalidatesTags: ['Campaigns', 'SmsStatus', 'StoredData', 'AuditLog'],
    }),
    cancelCampaign: build.mutation<CampaignView, { id: number }>({
      query: ({ id }) => ({ url: `/api/admin/sms/campaigns/${id}/cancel`, method: 'PUT' }),
      // After a failure too: it may have been sent, or cancelled in another tab.
      invalidatesTags: ['Campaigns', 'SmsStatus', 'AuditLog'],
    }),
    smsAnalytics: build.query<{ analytics: SmsAnalyticsView }, void>({
      query: () => ({ url: '/api/admin/sms/analytics' }),
      providesTags: ['SmsAnalytics'],
    }),
    smsStatus: build.query<SmsStatusView, void>({
      query: () => ({ url: '/api/admin/sms/status' }),
      providesTags: ['SmsStatus'],
    }),
  }),
});

export const {
  useListSmsTemplatesQuery,
  useCreateSmsTemplateMutation,
  useUpdateSmsTemplateMutation,
  useListCampaignsQuery,
  useFindCampaignQuery,
  useEstimateCampaignMutation,
  useScheduleCampaignMutation,
  useCancelCampaignMutation,
  useSmsAnalyticsQuery,
  useSmsStatusQuery,
} = sms;
