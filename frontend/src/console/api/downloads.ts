import type { Call } from '../../shared/api/request';
import { adminApi } from './adminApi';

type FileCall = Pick<Call, 'url' | 'params'>;

/** Written by hand because the answer is a file. A mutation: each press asks again, and nothing is cached. */
const downloads = adminApi.injectEndpoints({
  endpoints: (build) => ({
    downloadFile: build.mutation<string, FileCall>({
      query: (call) => ({ ...call, answers: 'text' }),
    }),
  }),
});

/** Asks the server for a file; `params` are the filters of the list. */
export function useDownload(url: string, params: NonNullable<Call['params']> = {}) {
  const [download] = downloads.useDownloadFileMutation();
  return () => download({ url, params });
}
