import { connectionError, responseError } from '../../shared/api/apiError';
import { sessionSlice, type SessionState } from '../session/sessionSlice';
import { adminApi, bearer, staffWords } from './adminApi';

/** The server waits up to 60 s for the file, and works on it for up to 60 s more. */
const TIMEOUT_MS = 150_000;

interface Upload {
  file: Blob;
  /** Told how much of the file is sent, from 0 to 1. */
  onProgress: (part: number) => void;
}

/** Its name in the content of a raffle. */
export interface SentPicture {
  hash: string;
}

/** Not by `fetch`, which does not tell how far an upload is. */
function send({ file, onProgress }: Upload, token: string | null): Promise<Response> {
  return new Promise((answered, failed) => {
    const call = new XMLHttpRequest();
    call.open('POST', '/api/admin/media');
    call.timeout = TIMEOUT_MS;
    for (const [name, value] of Object.entries(bearer(token))) call.setRequestHeader(name, value);
    call.setRequestHeader('Content-Type', 'application/octet-stream');
    call.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
    call.onload = () => answered(new Response(call.responseText || null, { status: call.status }));
    call.onerror = () => failed(new Error('the connection broke off'));
    call.ontimeout = () => failed(new Error('no answer in time'));
    call.send(file);
  });
}

/** Written by hand because a file is sent. */
/** For tests. */
export const uploads = adminApi.enhanceEndpoints({ addTagTypes: ['AuditLog'] }).injectEndpoints({
  endpoints: (build) => ({
    sendPicture: build.mutation<SentPicture, Upload>({
      queryFn: async (upload, { getState, dispatch }) => {
        try {
          const response = await send(upload, (getState() as SessionState).session.token);
          const text = await response.text();
          if (response.ok) return { data: JSON.parse(text) as SentPicture };
          if (response.status === 401) dispatch(sessionSlice.actions.ended('ended'));
          return { error: responseError(response, text, staffWords) };
        } catch (thrown) {
          const cause = navigator.onLine ? 'unreachable' : 'offline';
          return { error: connectionError(cause, String(thrown), staffWords) };
        }
      },
      invalidatesTags: ['AuditLog'],
    }),
  }),
});

/** Uploads a picture for a raffle. */
export const useSendPictureMutation = uploads.useSendPictureMutation;
