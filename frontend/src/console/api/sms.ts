/** Staff's calls about texts as screens use them: what a change makes stale, and how many rows a list has in all. */
import type { DefinitionsFromApi, OverrideResultType } from '@reduxjs/toolkit/query/react';
import { totalOf, type Counted } from './admin';
import {
  api as generated,
  type ListCampaignsApiResponse,
  type ListRepliesApiResponse,
  type ListSmsTemplatesApiResponse,
} from './generatedSms';

export type * from './generatedSms';

const tags = [
  'SmsTemplates',
  'Campaigns',
  'Replies',
  'SmsAnalytics',
  'SmsStatus',
  'WelcomeSms',
  'Text',
  // These are read elsewhere: see admin.ts and people.ts.
  'Person',
  'Settings',
  'StoredData',
  'AuditLog',
  'Approvals',
] as const;
type Tag = (typeof tags)[number];

const tagged = generated.enhanceEndpoints<Tag>({ addTagTypes: tags });

type Definitions = DefinitionsFromApi<typeof tagged>;
type CountedDefinitions = Omit<
  Definitions,
  'listCampaigns' | 'listReplies' | 'listSmsTemplates'
> & {
  listReplies: OverrideResultType<Definitions['listReplies'], Counted<ListRepliesApiResponse>>;
  listSmsTemplates: OverrideResultType<
    Definitions['listSmsTemplates'],
    Counted<ListSmsTemplatesApiResponse>
  >;
  listCampaigns: OverrideResultType<
    Definitions['listCampaigns'],
    Counted<ListCampaignsApiResponse>
  >;
};

// After failures too: the change may be made though its answer was lost, or another tab may have changed the data.
const afterTemplates: Tag[] = ['SmsTemplates', 'Campaigns', 'StoredData', 'AuditLog'];
const afterCampaigns: Tag[] = ['Campaigns', 'SmsStatus', 'StoredData', 'AuditLog'];
/** A person's file says whether the number gets texts. */
const afterOptOut: Tag[] = ['Replies', 'Person', 'AuditLog'];
const afterWelcome: Tag[] = ['WelcomeSms', 'AuditLog'];
const afterClearing: Tag[] = [
  'SmsTemplates',
  'Campaigns',
  'Replies',
  'SmsAnalytics',
  'SmsStatus',
  'StoredData',
  'AuditLog',
  'Approvals',
];

export const sms = tagged.enhanceEndpoints<Tag, CountedDefinitions>({
  endpoints: {
    listSmsTemplates: {
      providesTags: ['SmsTemplates'],
      transformResponse: (list: ListSmsTemplatesApiResponse, response) => ({
        ...list,
        totalCount: totalOf(response, list.templates),
      }),
    },
    switchSmsTemplate: { invalidatesTags: afterTemplates },
    listReplies: {
      providesTags: ['Replies'],
      transformResponse: (list: ListRepliesApiResponse, response) => ({
        ...list,
        totalCount: totalOf(response, list.replies),
      }),
    },
    decideReply: { invalidatesTags: afterOptOut },
    optNumberOut: { invalidatesTags: afterOptOut },
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
    findCampaignResults: { providesTags: ['Campaigns'] },
    scheduleCampaign: { invalidatesTags: afterCampaigns },
    updateCampaign: { invalidatesTags: afterCampaigns },
    cancelCampaign: { invalidatesTags: afterCampaigns },
    smsAnalytics: { providesTags: ['SmsAnalytics'] },
    smsStatus: { providesTags: ['SmsStatus'] },
    sendTestText: { invalidatesTags: ['SmsStatus', 'AuditLog'] },
    sendTemplateTest: { invalidatesTags: ['SmsStatus', 'AuditLog'] },
    findText: { providesTags: ['Text'] },
    findCampaignText: { keepUnusedDataFor: 0 },
    findEvidence: { keepUnusedDataFor: 0 },
    saveCredentials: { invalidatesTags: ['Settings', 'SmsStatus', 'AuditLog', 'Approvals'] },
    listWelcomeSms: { providesTags: ['WelcomeSms'] },
    createWelcomeSms: { invalidatesTags: afterWelcome },
    updateWelcomeSms: { invalidatesTags: afterWelcome },
    switchWelcomeSms: { invalidatesTags: afterWelcome },
    deleteWelcomeSms: { invalidatesTags: afterWelcome },
    clearCampaigns: { invalidatesTags: afterClearing },
    clearSms: { invalidatesTags: afterClearing },
  },
});

export const {
  useListSmsTemplatesQuery,
  useCreateSmsTemplateMutation,
  useUpdateSmsTemplateMutation,
  useSwitchSmsTemplateMutation,
  useListRepliesQuery,
  useDecideReplyMutation,
  useOptNumberOutMutation,
  useListCampaignsQuery,
  useFindCampaignQuery,
  useFindCampaignResultsQuery,
  useEstimateCampaignMutation,
  useScheduleCampaignMutation,
  useUpdateCampaignMutation,
  useCancelCampaignMutation,
  useSmsAnalyticsQuery,
  useSmsStatusQuery,
  useSendTestTextMutation,
  useSendTemplateTestMutation,
  useFindTextQuery,
  useSaveCredentialsMutation,
  useListWelcomeSmsQuery,
  useCreateWelcomeSmsMutation,
  useUpdateWelcomeSmsMutation,
  useSwitchWelcomeSmsMutation,
  useDeleteWelcomeSmsMutation,
  useClearCampaignsMutation,
  useClearSmsMutation,
} = sms;

/** How often to ask again depends on the answer: these subscribe a second time, once it is known. */
export const { useQuerySubscription: useCampaignsPolling } = sms.endpoints.listCampaigns;
export const { useQuerySubscription: useCampaignPolling } = sms.endpoints.findCampaign;
export const { useQuerySubscription: useTextPolling } = sms.endpoints.findText;
