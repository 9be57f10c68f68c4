import { adminApi } from '../../api/adminApi';
import type { ListAuditLogApiArg } from '../../api/admin';

export type AuditLogFilters = Pick<ListAuditLogApiArg, 'action' | 'startDate' | 'endDate'>;

/** By hand, because it answers with a file. A mutation: each press asks again, and nothing is cached. */
const exportApi = adminApi.injectEndpoints({
  endpoints: (build) => ({
    downloadAuditLog: build.mutation<string, AuditLogFilters>({
      query: (params) => ({ url: '/api/admin/audit-log/export', params, answers: 'text' }),
    }),
  }),
});

export const { useDownloadAuditLogMutation } = exportApi;
