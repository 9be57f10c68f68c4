import type { ApiError } from '../../shared/api/apiError';

/** Why nothing can be sent. The server's sentence says until when; ours would blame the network. */
const unsent = ['too_many_codes', 'too_many_exports', 'texts_not_configured', 'texts_used_up'];

export function sentenceOf({ code = '', sentence, serverSentence }: ApiError): string {
  return (unsent.includes(code) && serverSentence) || sentence;
}
