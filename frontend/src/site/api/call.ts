import { request, type Call } from '../../shared/api/request';
import { takeAnswer } from './earlyAnswers';
import { wordsFor } from './wording';

/** One call of the API, with what the tracking script wants to go with it. The boot script may have made it already. */
export const call = (options: Call, signal?: AbortSignal) =>
  request(options, {
    sent: takeAnswer(options),
    headers: window.trackingHeaders ?? {},
    words: wordsFor(options.url),
    ...(signal && { signal }),
  });
