import { request, type Call } from '../../shared/api/request';
import { wordsFor } from './wording';

/** One call of the API, with what the tracking script wants to go with it. */
export const call = (options: Call, signal?: AbortSignal) =>
  request(options, {
    headers: window.trackingHeaders ?? {},
    words: wordsFor(options.url),
    ...(signal && { signal }),
  });
