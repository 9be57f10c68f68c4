import { adminApi } from '../../api/adminApi';

/** By hand, because it answers with a file. A mutation: each press asks again, and nothing is cached. */
const exportApi = adminApi.injectEndpoints({
  endpoints: (build) => ({
    downloadCampaign: build.mutation<string, { id: number }>({
      query: ({ id }) => ({ url: `/api/admin/sms/campaigns/${id}/export`, answers: 'text' }),
    }),
  }),
});

export const { useDownloadCampaignMutation } = exportApi;
