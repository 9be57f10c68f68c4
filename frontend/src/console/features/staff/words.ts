import type { ApiError } from '../../../shared/api/apiError';

const sentences: Record<string, string> = {
  last_owner: 'This is the last owner. Make somebody else an owner first.',
  environment_account: "This account is in the server's settings, and is changed there.",
};

/** Why a change of an account was refused. */
export const explained = ({ code, sentence }: ApiError): string =>
  (code && sentences[code]) ?? sentence;
