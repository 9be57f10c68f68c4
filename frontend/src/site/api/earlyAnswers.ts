import type { Call } from '../../shared/api/request';

declare global {
  interface Window {
    /** The answers to calls that the boot script of a success page made, by their address. */
    earlyAnswers?: Record<string, Promise<Response>>;
  }
}

/** The answer to a call that the boot script made. Only once: whoever asks again wants a new one. */
export function takeAnswer({ url, method }: Call): Promise<Response> | undefined {
  if (method) return undefined; // the boot script has only read
  const answer = window.earlyAnswers?.[url];
  delete window.earlyAnswers?.[url];
  return answer;
}
