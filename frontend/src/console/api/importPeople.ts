import { isProposed, type Proposed } from '../lib/proposal';
import { connectionError, responseError, type ApiError } from '../../shared/api/apiError';
import { sessionSlice, type SessionState } from '../session/sessionSlice';
import { adminApi, bearer, staffWords } from './adminApi';
import type { BadLinesView, ImportView } from './generatedPeople';

/** The server works on the greatest files for up to 60 s, after they have arrived. */
const TIMEOUT_MS = 150_000;

/** What became of a file: it is good, or somebody else must approve it, or it has bad lines. */
export type ImportAnswer = Partial<ImportView> &
  Partial<Pick<BadLinesView, 'lines'>> & { proposed?: Proposed };

interface ImportCall {
  file: Blob;
  /** Only says what an import would do. */
  dryRun: boolean;
}

type Answer = { data: ImportAnswer } | { error: ApiError };

async function send({ file, dryRun }: ImportCall, token: string | null): Promise<Answer> {
  try {
    const response = await fetch(`/api/admin/people/import?dryRun=${dryRun}`, {
      method: 'POST',
      body: file,
      headers: { ...bearer(token), 'Content-Type': 'text/csv' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return await read(response);
  } catch (thrown) {
    const cause = navigator.onLine ? 'unreachable' : 'offline';
    return { error: connectionError(cause, String(thrown), staffWords) };
  }
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  if (response.ok) {
    const answer = JSON.parse(text) as ImportView | Proposed;
    return { data: isProposed(answer) ? { proposed: answer } : answer };
  }
  const error = responseError(response, text, staffWords);
  if (error.code !== 'bad_lines') return { error };
  return { data: { lines: (JSON.parse(text) as BadLinesView).lines } };
}

/** Written by hand because a file is sent. */
const imports = adminApi
  .enhanceEndpoints({
    addTagTypes: ['People', 'Dashboard', 'DrawingStats', 'Approvals', 'AuditLog'],
  })
  .injectEndpoints({
    endpoints: (build) => ({
      importFile: build.mutation<ImportAnswer, ImportCall>({
        queryFn: async (call, { getState, dispatch }) => {
          const { token } = (getState() as SessionState).session;
          const answer = await send(call, token);
          const isEnded = 'error' in answer && answer.error.status === 401;
          if (isEnded) dispatch(sessionSlice.actions.ended('ended'));
          return answer;
        },
        // After a failure too: the file may be imported though the answer was lost.
        invalidatesTags: (_, __, { dryRun }) =>
          dryRun ? [] : ['People', 'Dashboard', 'DrawingStats', 'Approvals', 'AuditLog'],
      }),
    }),
  });

export const { useImportFileMutation } = imports;
