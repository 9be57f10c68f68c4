import { adminApi as api } from "./adminApi";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    clearCampaigns: build.mutation<
      ClearCampaignsApiResponse,
      ClearCampaignsApiArg
    >({
      query: () => ({ url: `/api/admin/clear-campaigns`, method: "POST" }),
    }),
    clearSms: build.mutation<ClearSmsApiResponse, ClearSmsApiArg>({
      query: () => ({ url: `/api/admin/clear-sms`, method: "POST" }),
    }),
    saveCredentials: build.mutation<
      SaveCredentialsApiResponse,
      SaveCredentialsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/save-credentials`,
        method: "POST",
        body: queryArg.credentialsBody,
      }),
    }),
    smsAnalytics: build.query<SmsAnalyticsApiResponse, SmsAnalyticsApiArg>({
      query: () => ({ url: `/api/admin/sms/analytics` }),
    }),
    listCampaigns: build.query<ListCampaignsApiResponse, ListCampaignsApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/sms/campaigns`,
        params: {
          status: queryArg.status,
          search: queryArg.search,
          sort: queryArg.sort,
          order: queryArg.order,
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    estimateCampaign: build.mutation<
      EstimateCampaignApiResponse,
      EstimateCampaignApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/sms/campaigns/estimate`,
        method: "POST",
        body: queryArg.campaignBody,
      }),
    }),
    scheduleCampaign: build.mutation<
      ScheduleCampaignApiResponse,
      ScheduleCampaignApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/sms/campaigns/schedule`,
        method: "POST",
        body: queryArg.campaignBody,
        headers: {
          "Idempotency-Key": queryArg["Idempotency-Key"],
        },
      }),
    }),
    findCampaign: build.query<FindCampaignApiResponse, FindCampaignApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/sms/campaigns/${encodeURIComponent(String(queryArg.id))}`,
        params: {
          customPhoneNumbers: queryArg.customPhoneNumbers,
        },
      }),
    }),
    updateCampaign: build.mutation<
      UpdateCampaignApiResponse,
      UpdateCampaignApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/sms/campaigns/${encodeURIComponent(String(queryArg.id))}`,
        method: "PUT",
        body: queryArg.campaignBody,
      }),
    }),
    cancelCampaign: build.mutation<
      CancelCampaignApiResponse,
      CancelCampaignApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/sms/campaigns/${encodeURIComponent(String(queryArg.id))}/cancel`,
        method: "PUT",
      }),
    }),
    findCampaignResults: build.query<
      FindCampaignResultsApiResponse,
      FindCampaignResultsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/sms/campaigns/${encodeURIComponent(String(queryArg.id))}/results`,
      }),
    }),
    findCampaignText: build.query<
      FindCampaignTextApiResponse,
      FindCampaignTextApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/sms/campaigns/${encodeURIComponent(String(queryArg.id))}/text`,
        params: {
          phoneNumber: queryArg.phoneNumber,
        },
      }),
    }),
    findText: build.query<FindTextApiResponse, FindTextApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/sms/messages/${encodeURIComponent(String(queryArg.id))}`,
      }),
    }),
    findEvidence: build.query<FindEvidenceApiResponse, FindEvidenceApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/sms/messages/${encodeURIComponent(String(queryArg.id))}/evidence`,
      }),
    }),
    optNumberOut: build.mutation<OptNumberOutApiResponse, OptNumberOutApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/sms/opt-outs`,
        method: "POST",
        body: queryArg.numberOptOutBody,
      }),
    }),
    listReplies: build.query<ListRepliesApiResponse, ListRepliesApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/sms/replies`,
        params: {
          search: queryArg.search,
          kind: queryArg.kind,
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    decideReply: build.mutation<DecideReplyApiResponse, DecideReplyApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/sms/replies/${encodeURIComponent(String(queryArg.id))}/decision`,
        method: "POST",
        body: queryArg.replyDecisionBody,
      }),
    }),
    smsStatus: build.query<SmsStatusApiResponse, SmsStatusApiArg>({
      query: () => ({ url: `/api/admin/sms/status` }),
    }),
    listSmsTemplates: build.query<
      ListSmsTemplatesApiResponse,
      ListSmsTemplatesApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/sms/templates`,
        params: {
          search: queryArg.search,
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    createSmsTemplate: build.mutation<
      CreateSmsTemplateApiResponse,
      CreateSmsTemplateApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/sms/templates`,
        method: "POST",
        body: queryArg.smsTemplateBody,
      }),
    }),
    updateSmsTemplate: build.mutation<
      UpdateSmsTemplateApiResponse,
      UpdateSmsTemplateApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/sms/templates/${encodeURIComponent(String(queryArg.id))}`,
        method: "PUT",
        body: queryArg.smsTemplateBody,
      }),
    }),
    switchSmsTemplate: build.mutation<
      SwitchSmsTemplateApiResponse,
      SwitchSmsTemplateApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/sms/templates/${encodeURIComponent(String(queryArg.id))}`,
        method: "PATCH",
        body: queryArg.activeBody,
      }),
    }),
    sendTemplateTest: build.mutation<
      SendTemplateTestApiResponse,
      SendTemplateTestApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/sms/templates/${encodeURIComponent(String(queryArg.id))}/test`,
        method: "POST",
        body: queryArg.testTextBody,
      }),
    }),
    sendTestText: build.mutation<SendTestTextApiResponse, SendTestTextApiArg>({
      query: (queryArg) => ({
        url: `/api/admin/sms/test-text`,
        method: "POST",
        body: queryArg.testTextBody,
      }),
    }),
    listWelcomeSms: build.query<
      ListWelcomeSmsApiResponse,
      ListWelcomeSmsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/welcome-sms`,
        params: {
          limit: queryArg.limit,
          offset: queryArg.offset,
        },
      }),
    }),
    createWelcomeSms: build.mutation<
      CreateWelcomeSmsApiResponse,
      CreateWelcomeSmsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/welcome-sms`,
        method: "POST",
        body: queryArg.welcomeSmsBody,
      }),
    }),
    updateWelcomeSms: build.mutation<
      UpdateWelcomeSmsApiResponse,
      UpdateWelcomeSmsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/welcome-sms/${encodeURIComponent(String(queryArg.landingPage))}`,
        method: "PUT",
        body: queryArg.welcomeSmsChangeBody,
      }),
    }),
    deleteWelcomeSms: build.mutation<
      DeleteWelcomeSmsApiResponse,
      DeleteWelcomeSmsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/welcome-sms/${encodeURIComponent(String(queryArg.landingPage))}`,
        method: "DELETE",
      }),
    }),
    switchWelcomeSms: build.mutation<
      SwitchWelcomeSmsApiResponse,
      SwitchWelcomeSmsApiArg
    >({
      query: (queryArg) => ({
        url: `/api/admin/welcome-sms/${encodeURIComponent(String(queryArg.landingPage))}`,
        method: "PATCH",
        body: queryArg.activeBody,
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as api };
export type ClearCampaignsApiResponse =
  | /** status 200 undefined */ ClearedSmsView
  | /** status 202 It takes longer, or was running already; or somebody else must approve it */ ClearingAcceptedView;
export type ClearCampaignsApiArg = void;
export type ClearSmsApiResponse =
  | /** status 200 undefined */ ClearedSmsView
  | /** status 202 It takes longer, or was running already; or somebody else must approve it */ ClearingAcceptedView;
export type ClearSmsApiArg = void;
export type SaveCredentialsApiResponse =
  | /** status 200 undefined */ SuccessView
  | /** status 202 Somebody else must approve it */ ProposedView;
export type SaveCredentialsApiArg = {
  credentialsBody: CredentialsBody;
};
export type SmsAnalyticsApiResponse =
  /** status 200 undefined */ SmsAnalyticsView;
export type SmsAnalyticsApiArg = void;
export type ListCampaignsApiResponse =
  /** status 200 undefined */ CampaignsView;
export type ListCampaignsApiArg = {
  /** Only campaigns with this status. */
  status?: CampaignStatusView;
  /** Only campaigns whose name contains this text. The case of the letters A to Z does not matter. */
  search?: string;
  /** The field to sort by; `createdAt` without it. */
  sort?: CampaignSortView;
  /** The direction; `desc` without it. */
  order?: SortOrderView;
  /** The maximum number of rows, 1 to 500. */
  limit?: number;
  /** Rows to skip. */
  offset?: number;
};
export type EstimateCampaignApiResponse =
  /** status 200 undefined */ EstimateView;
export type EstimateCampaignApiArg = {
  campaignBody: CampaignBody;
};
export type ScheduleCampaignApiResponse =
  /** status 201 undefined */ CampaignView;
export type ScheduleCampaignApiArg = {
  /** 1 to 255 visible ASCII characters */
  "Idempotency-Key"?: string | null;
  campaignBody: CampaignBody;
};
export type FindCampaignApiResponse =
  /** status 200 undefined */ CampaignWithReportView;
export type FindCampaignApiArg = {
  id: number;
  /** With `short`, `customPhoneNumbers` is null for more than 100 numbers, as in the list. For screens that ask often. */
  customPhoneNumbers?: NumbersView;
};
export type UpdateCampaignApiResponse =
  /** status 200 undefined */ CampaignView;
export type UpdateCampaignApiArg = {
  id: number;
  campaignBody: CampaignBody;
};
export type CancelCampaignApiResponse =
  /** status 200 undefined */ CampaignView;
export type CancelCampaignApiArg = {
  id: number;
};
export type FindCampaignResultsApiResponse =
  /** status 200 undefined */ CampaignResultsView;
export type FindCampaignResultsApiArg = {
  id: number;
};
export type FindCampaignTextApiResponse = /** status 200 undefined */ TextView;
export type FindCampaignTextApiArg = {
  id: number;
  /** As people type it. */
  phoneNumber: string;
};
export type FindTextApiResponse = /** status 200 undefined */ TextView;
export type FindTextApiArg = {
  id: number;
};
export type FindEvidenceApiResponse =
  /** status 200 undefined */ TextEvidenceView;
export type FindEvidenceApiArg = {
  id: number;
};
export type OptNumberOutApiResponse = /** status 200 undefined */ SuccessView;
export type OptNumberOutApiArg = {
  numberOptOutBody: NumberOptOutBody;
};
export type ListRepliesApiResponse = /** status 200 undefined */ RepliesView;
export type ListRepliesApiArg = {
  /** Only replies whose text contains this, without regard to the case of the letters A to Z; digits are also looked for
    in the numbers. */
  search?: string;
  /** Only replies of this kind. */
  kind?: ReplyKindView;
  /** The maximum number of rows, 1 to 500. */
  limit?: number;
  /** Rows to skip. */
  offset?: number;
};
export type DecideReplyApiResponse = /** status 200 undefined */ ReplyView;
export type DecideReplyApiArg = {
  id: number;
  replyDecisionBody: ReplyDecisionBody;
};
export type SmsStatusApiResponse = /** status 200 undefined */ SmsStatusView;
export type SmsStatusApiArg = void;
export type ListSmsTemplatesApiResponse =
  /** status 200 undefined */ SmsTemplatesView;
export type ListSmsTemplatesApiArg = {
  /** Only templates whose name or message contains this text. The case of the letters A to Z does not matter. */
  search?: string;
  /** The maximum number of rows, 1 to 500. */
  limit?: number;
  /** Rows to skip. */
  offset?: number;
};
export type CreateSmsTemplateApiResponse =
  /** status 201 undefined */ SmsTemplateView;
export type CreateSmsTemplateApiArg = {
  smsTemplateBody: SmsTemplateBody;
};
export type UpdateSmsTemplateApiResponse =
  /** status 200 undefined */ SmsTemplateView;
export type UpdateSmsTemplateApiArg = {
  id: number;
  smsTemplateBody: SmsTemplateBody;
};
export type SwitchSmsTemplateApiResponse =
  /** status 200 undefined */ SmsTemplateView;
export type SwitchSmsTemplateApiArg = {
  id: number;
  activeBody: ActiveBody;
};
export type SendTemplateTestApiResponse = /** status 201 undefined */ TextView;
export type SendTemplateTestApiArg = {
  id: number;
  testTextBody: TestTextBody;
};
export type SendTestTextApiResponse = /** status 201 undefined */ TextView;
export type SendTestTextApiArg = {
  testTextBody: TestTextBody;
};
export type ListWelcomeSmsApiResponse =
  /** status 200 undefined */ WelcomeSmsListView;
export type ListWelcomeSmsApiArg = {
  /** The maximum number of rows, 1 to 500. */
  limit?: number;
  /** Rows to skip. */
  offset?: number;
};
export type CreateWelcomeSmsApiResponse =
  /** status 201 undefined */ WelcomeSmsView;
export type CreateWelcomeSmsApiArg = {
  welcomeSmsBody: WelcomeSmsBody;
};
export type UpdateWelcomeSmsApiResponse =
  /** status 200 undefined */ WelcomeSmsView;
export type UpdateWelcomeSmsApiArg = {
  landingPage: LandingPageView;
  welcomeSmsChangeBody: WelcomeSmsChangeBody;
};
export type DeleteWelcomeSmsApiResponse =
  /** status 200 undefined */ SuccessView;
export type DeleteWelcomeSmsApiArg = {
  landingPage: LandingPageView;
};
export type SwitchWelcomeSmsApiResponse =
  /** status 200 undefined */ WelcomeSmsView;
export type SwitchWelcomeSmsApiArg = {
  landingPage: LandingPageView;
  activeBody: ActiveBody;
};
export type SmsCountsView = {
  campaigns: number;
  clicks: number;
  messages: number;
  replies: number;
  templates: number;
};
export type ClearedSmsView = {
  deleted: SmsCountsView;
  success: boolean;
};
export type StartedJobView = {
  /** For `GET /api/admin/jobs/{jobId}`. */
  jobId: number;
};
export type ProposedView = {
  /** For `POST /api/admin/approvals/{id}/approve`. */
  approvalId: number;
  /** Until when it can be approved. */
  expiresAt: string;
};
export type ClearingAcceptedView = StartedJobView | ProposedView;
export type ErrorView = {
  /** The same for a program. */
  code: string;
  /** A sentence for a person. */
  error: string;
  /** What is wrong with each field, for `validation` only. */
  fields?:
    | {
        [key: string]: string[];
      }
    | {
        [key: string]: string[];
      };
};
export type SuccessView = {
  success: boolean;
};
export type CredentialsBody = {
  /** AC and 32 hexadecimal digits. Spaces around it are ignored. */
  TWILIO_ACCOUNT_SID: string;
  /** 32 hexadecimal digits. Spaces around it are ignored. Never returned. */
  TWILIO_AUTH_TOKEN: string;
  /** The number that messages are sent from. */
  TWILIO_PHONE_NUMBER: string;
};
export type SmsFiguresView = {
  clickRate: number;
  clicked: number;
  ctaClicked: number;
  ctaConversionRate: number;
  delivered: number;
  deliveryRate: number;
  /** Refused, failed or undelivered. */
  failed: number;
  /** Accepted by the provider. */
  totalSent: number;
};
export type SmsAnalyticsView = {
  analytics: SmsFiguresView;
};
export type LandingPageView = string;
export type CampaignStatusView =
  "pending" | "sending" | "sent" | "failed" | "cancelled";
export type TargetAudienceView = "all" | "landing_page" | "custom";
export type CampaignView = {
  campaignName: string;
  /** Links opened. */
  clickedCount: number;
  /** Why the numbers of a list may be texted; null for other audiences. */
  consentBasis: string | null;
  createdAt: string;
  /** Who scheduled it; null if no name was given. */
  createdBy: string | null;
  /** Of these, recipients who followed the link to the raffle. */
  ctaClickedCount: number;
  customPhoneNumberCount: number;
  /** For owners and managers. The first 100, or all where one campaign is read. Null for other audiences. */
  customPhoneNumbers: string[] | null;
  /** Of these, delivered. */
  deliveredCount: number;
  /** Refused, failed or undelivered. */
  errorCount: number;
  id: number;
  landingPageFilter: LandingPageView | null;
  /** Known once the campaign has started. */
  recipientCount: number;
  scheduledDate: string;
  /** When the campaign ended. */
  sentAt: string | null;
  /** Accepted by the provider. */
  sentCount: number;
  /** Skipped recipients. */
  skippedCount: number;
  startedAt: string | null;
  status: CampaignStatusView;
  targetAudience: TargetAudienceView;
  templateId: number;
  /** The current name of the template. */
  templateName: string;
  trackingUrlBase: string;
};
export type CampaignsView = {
  campaigns: CampaignView[];
};
export type CampaignSortView = "createdAt" | "scheduledDate" | "campaignName";
export type SortOrderView = "asc" | "desc";
export type EncodingView = "GSM-7" | "UCS-2";
export type EstimateView = {
  /** The length of the message in units of the encoding. */
  characters: number;
  encoding: EncodingView;
  /** Of these, recipients who have reached the limit of the month in which it starts and will be skipped. */
  overCap: number;
  /** Without numbers that opted out, and numbers of countries that get no texts. */
  recipients: number;
  /** The message to one recipient. */
  sample: string;
  /** The segments in which each message is sent and billed. */
  segments: number;
  /** The segments of all messages together. */
  totalSegments: number;
};
export type CampaignBody = {
  /** Not needed for an estimate. */
  campaignName?: string | null;
  /** For the audience `custom`: why its numbers may be texted. `not stated` without it. Evidence shows it for numbers that
    belong to no entrant. */
  consentBasis?: string | null;
  /** For the audience `custom`. Duplicates are dropped. */
  customPhoneNumbers?: string[] | null;
  landingPageFilter?: LandingPageView | null;
  /** When the campaign starts; a time in the past is refused. An estimate without it is one for now. */
  scheduledDate?: string | null;
  /** Starts it as soon as it is scheduled. Then `scheduledDate` does not matter. */
  startNow?: boolean | null;
  targetAudience: TargetAudienceView;
  templateId: number;
  /** The beginning of the links; the site's own origin without it. In production it must be the site's own origin or one
    of `TRACKING_ORIGINS`. */
  trackingUrlBase?: string | null;
};
export type ReasonView = {
  count: number;
  /** The provider's error code and sentence, or opted_out, monthly_cap, flagged, no_consent or country. */
  reason: string;
};
export type CampaignReportView = {
  clicked: number;
  ctaClicked: number;
  /** Of these, delivered. */
  delivered: number;
  /** The most frequent reason first. */
  failed: ReasonView[];
  /** Accepted by the provider. */
  sent: number;
  /** The most frequent reason first. */
  skipped: ReasonView[];
  /** Messages that may have been sent. */
  unknown: number;
  /** Recipients that wait and messages that are being sent. */
  waiting: number;
};
export type CampaignWithReportView = {
  campaign: CampaignView;
  report: CampaignReportView;
};
export type NumbersView = "whole" | "short";
export type ClicksInHourView = {
  clicked: number;
  /** 0 is the first hour from the start. */
  hour: number;
};
export type CampaignStepView =
  | "recipients"
  | "sent"
  | "delivered"
  | "clicked"
  | "shared"
  | "referred"
  | "bought";
export type FunnelCountView = {
  count: number;
  /** The percentage of the texts that were sent; for `sent`, of the recipients. Null for the recipients, and of nothing. */
  rate: number | null;
  step: CampaignStepView;
};
export type CampaignResultsView = {
  /** The links that were opened, by the hour from the start; without the hours that have none. */
  clicks: ClicksInHourView[];
  /** How long after their text what recipients do counts for the last three steps, and how long after the start clicks do. */
  days: number;
  encoding: EncodingView;
  funnel: FunnelCountView[];
  /** The segments of that text. */
  segments: number;
  /** The text to one recipient: as it was sent or, before the campaign starts, as it would be now. */
  text: string;
  /** The segments of all texts that were sent. */
  totalSegments: number;
};
export type TextStatusView =
  | "pending"
  | "sending"
  | "unknown"
  | "sent"
  | "delivered"
  | "undelivered"
  | "failed"
  | "skipped";
export type WaitReasonView =
  | "quiet_hours"
  | "state_hours"
  | "unknown_area_code"
  | "daily_budget"
  | "retry";
export type TextView = {
  /** The reason of a failure. */
  errorMessage: string | null;
  id: number;
  status: TextStatusView;
  waitingReason: WaitReasonView | null;
  /** Until when a pending message waits. `null` if it is to be sent next, or waits no more. */
  waitingUntil: string | null;
};
export type ConsentActView = "form" | "default" | "switch" | "start_keyword";
export type OptOutView = {
  at: string;
  optedOut: boolean;
};
export type TextEvidenceView = {
  act: ConsentActView | null;
  /** When the entrant agreed. */
  at: string | null;
  /** Why the numbers of the campaign's list may be texted, in the words of staff; null for other texts. */
  consentBasis: string | null;
  /** Where the entrant agreed from; null for START. */
  ipAddress: string | null;
  /** The recipient's local time when the text was sent, such as `2026-11-22T15:04:05-05:00`; one for each time zone of the
    area code, with ` or ` between them. Null if it was not sent. */
  localTime: string | null;
  /** The campaign texts to the number that count for the month of this text. */
  monthCount: number;
  /** The number's STOP and START, oldest first. Clearing text data leaves the newest only. */
  optOuts: OptOutView[];
  /** The sentence that the entrant agreed to; null for a listed number that is no entrant, and for other texts than those of
    campaigns. So are the next three. */
  wording: string | null;
};
export type NumberOptOutBody = {
  phoneNumber: string;
  /** 3 to 500 characters without the spaces around it. */
  reason: string;
};
export type KeywordView = "stop" | "start" | "help";
export type ReplyView = {
  /** Without control characters, at most 1,600 characters. It may be empty. */
  body: string;
  createdAt: string;
  id: number;
  /** Whether it holds a word for STOP but does not clearly ask for it, and nobody has decided yet. */
  isUnclear: boolean;
  keyword: KeywordView | null;
  /** In full for owners and managers; screens show the last four digits. */
  phoneNumber: string;
  /** The entrant with this number when it arrived. */
  userId: number | null;
};
export type RepliesView = {
  replies: ReplyView[];
};
export type ReplyKindView = "message" | "keyword" | "unclear";
export type ReplyDecisionBody = {
  /** Whether it asks for no more texts. */
  optsOut: boolean;
};
export type HaltView = "credentials_refused" | "credentials_unreadable";
export type OverBudgetView = "welcomes" | "sign_ups" | "codes";
export type CredentialsSourceView = "console" | "environment";
export type SmsStatusView = {
  /** Whether there is an account to send with. Without an account, messages wait. */
  configured: boolean;
  /** The countries whose numbers get messages, as two-letter codes. */
  countries: string[];
  /** The maximum number of messages on one day, in UTC; campaign messages do not count. */
  dailyBudget: number;
  halted: HaltView | null;
  /** The maximum number of messages per second. */
  maxPerSecond: number;
  /** The maximum number of campaign messages to a number in a calendar month. */
  monthlyCap: number;
  /** When the next day begins, in UTC. */
  nextBudgetAt: string;
  overBudget: OverBudgetView | null;
  /** Messages that wait for the hours of their recipients. They count in `waiting` too. */
  putOff: number;
  /** When the first of them may be sent. */
  putOffUntil: string | null;
  /** The end of the night in the site's time zone, if campaign, welcome and winner messages wait for the morning there.
    Each recipient's own area code decides when they get theirs. */
  quietUntil: string | null;
  source: CredentialsSourceView | null;
  /** The messages of today, in UTC, that count toward the budget. */
  textsToday: number;
  /** The site's time zone, for quiet hours, months and the console's times. */
  timeZone: string;
  /** Messages that may have been sent; the provider has not been asked yet. */
  unknown: number;
  /** Messages that wait or are being sent. */
  waiting: number;
};
export type SmsTemplateView = {
  createdAt: string;
  /** Who added it; null if no name was given. */
  createdBy: string | null;
  id: number;
  isActive: boolean;
  landingPage: LandingPageView;
  linkPlaceholder: string;
  messageTemplate: string;
  name: string;
  updatedAt: string;
};
export type SmsTemplatesView = {
  templates: SmsTemplateView[];
};
export type SmsTemplateBody = {
  /** True without it. */
  isActive?: boolean | null;
  landingPage?: LandingPageView | null;
  /** The placeholder; `{LINK}` without it. */
  linkPlaceholder?: string | null;
  /** The message, with a placeholder for each recipient's own link. Each placeholder counts as 100 characters. */
  messageTemplate: string;
  /** One line, without control characters. */
  name: string;
};
export type ActiveBody = {
  isActive: boolean;
};
export type TestTextBody = {
  phoneNumber: string;
};
export type WelcomeSmsView = {
  createdAt: string;
  /** Who added it; null if no name was given. */
  createdBy: string | null;
  /** Whether new entrants of the raffle get a text. While it is false they get none. */
  isActive: boolean;
  landingPage: LandingPageView;
  messageTemplate: string;
  updatedAt: string;
};
export type WelcomeSmsListView = {
  /** The message of raffles without their own. */
  defaultTemplate: string;
  /** In the order of the raffles. */
  templates: WelcomeSmsView[];
};
export type WelcomeSmsBody = {
  landingPage: LandingPageView;
  /** `[your-link]` and its other forms become the entrant's referral link. */
  messageTemplate: string;
};
export type WelcomeSmsChangeBody = {
  messageTemplate: string;
};
export const {
  useClearCampaignsMutation,
  useClearSmsMutation,
  useSaveCredentialsMutation,
  useSmsAnalyticsQuery,
  useListCampaignsQuery,
  useEstimateCampaignMutation,
  useScheduleCampaignMutation,
  useFindCampaignQuery,
  useUpdateCampaignMutation,
  useCancelCampaignMutation,
  useFindCampaignResultsQuery,
  useFindCampaignTextQuery,
  useFindTextQuery,
  useFindEvidenceQuery,
  useOptNumberOutMutation,
  useListRepliesQuery,
  useDecideReplyMutation,
  useSmsStatusQuery,
  useListSmsTemplatesQuery,
  useCreateSmsTemplateMutation,
  useUpdateSmsTemplateMutation,
  useSwitchSmsTemplateMutation,
  useSendTemplateTestMutation,
  useSendTestTextMutation,
  useListWelcomeSmsQuery,
  useCreateWelcomeSmsMutation,
  useUpdateWelcomeSmsMutation,
  useDeleteWelcomeSmsMutation,
  useSwitchWelcomeSmsMutation,
} = injectedRtkApi;
