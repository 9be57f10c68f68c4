/** Staff's calls about texts as screens use them: what a change makes stale, and how many campaigns there are in all. */
import type { DefinitionsFromApi, OverrideResultType } from '@reduxjs/toolkit/query/react';
import { totalOf, type Counted } from './admin';
import { api as generated, type ListCampaignsApiResponse } from './generatedSms';

export type * from './generatedSms';

const tags = [
  'SmsTemplates',
  'Campaigns',
  'SmsAnalytics',
  'SmsStatus',
  'WelcomeSms',
  'Text',
  // These are read elsewhere: see admin.ts.
  'Settings',
  'StoredData',
  'AuditLog',
] as const;
type Tag = (typeof tags)[number];

const tagged = generated.enhanceEndpoints<Tag>({ addTagTypes: tags });

type Definitions = DefinitionsFromApi<typeof tagged>;
type CountedDefinitions = Omit<Definitions, 'listCampaigns'> & {
  listCampaigns: OverrideResultType<
    Definitions['listCampaigns'],
    Counted<ListCampaignsApiResponse>
  >;
};

// After failures too: the change may be made though its answer was lost, or another tab may have changed the data.
const afterTemplates: Tag[] = ['SmsTemplates', 'Campaigns', 'StoredData', 'AuditLog'];
const afterCampaigns: Tag[] = ['Campaigns', 'SmsStatus', 'StoredData', 'AuditLog'];
const afterWelcome: Tag[] = ['WelcomeSms', 'AuditLog'];
const afterClearing: Tag[] = [
  'SmsTemplates',
  'Campaigns',
  'SmsAnalytics',
  'SmsStatus',
  'StoredData',
  'AuditLog',
];

export const sms = tagged.enhanceEndpoints<Tag, CountedDefinitions>({
  endpoints: {
    listSmsTemplates: { providesTags: ['SmsTemplates'] },
    createSmsTemplate: { invalidatesTags: afterTemplates },
    updateSmsTemplate: { invalidatesTags: afterTemplates },
    listCampaigns: {
      providesTags: ['Campaigns'],
      transformResponse: (list: ListCampaignsApiResponse, response) => ({
        ...list,
        totalCount: totalOf(response, list.campaigns),
      }),
    },
    findCampaign: { providesTags: ['Campaigns'] },
    scheduleCampaign: { invalidatesTags: afterCampaigns },
    cancelCampaign: { invalidatesTags: afterCampaigns },
    smsAnalytics: { providesTags: ['SmsAnalytics'] },
    smsStatus: { providesTags: ['SmsStatus'] },
    sendTestText: { invalidatesTags: ['SmsStatus', 'AuditLog'] },
    findText: { providesTags: ['Text'] },
    saveCredentials: { invalidatesTags: ['Settings', 'SmsStatus', 'AuditLog'] },
    listWelcomeSms: { providesTags: ['WelcomeSms'] },
    createWelcomeSms: { invalidatesTags: afterWelcome },
    updateWelcomeSms: { invalidatesTags: afterWelcome },
    deleteWelcomeSms: { invalidatesTags: afterWelcome },
    clearCampaigns: { invalidatesTags: afterClearing },
    clearSms: { invalidatesTags: afterClearing },
  },
});

export const {
  useListSmsTemplatesQuery,
  useLazyListSmsTemplatesQuery,
  useCreateSmsTemplateMutation,
  useUpdateSmsTemplateMutation,
  useListCampaignsQuery,
  useFindCampaignQuery,
  useEstimateCampaignMutation,
  useScheduleCampaignMutation,
  useCancelCampaignMutation,
  useSmsAnalyticsQuery,
  useSmsStatusQuery,
  useSendTestTextMutation,
  useFindTextQuery,
  useSaveCredentialsMutation,
  useListWelcomeSmsQuery,
  useCreateWelcomeSmsMutation,
  useUpdateWelcomeSmsMutation,
  useDeleteWelcomeSmsMutation,
  useClearCampaignsMutation,
  useClearSmsMutation,
} = sms;

/** How often to ask again depends on the answer: these subscribe a second time, once it is known. */
export const { useQuerySubscription: useCampaignsPolling } = sms.endpoints.listCampaigns;
export const { useQuerySubscription: useCampaignPolling } = sms.endpoints.findCampaign;
export const { useQuerySubscription: useTextPolling } = sms.endpoints.findText;
