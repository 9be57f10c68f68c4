import { adminApi } from '../../api/adminApi';

/** By hand, because it answers with a file. A mutation: each press asks again, and nothing is cached. */
const exportApi = adminApi.injectEndpoints({
  endpoints: (build) => ({
    downloadDrawings: build.mutation<string, void>({
      query: () => ({ url: '/api/admin/drawing/history/export', answers: 'text' }),
    }),
  }),
});

export const { useDownloadDrawingsMutation } = exportApi;
