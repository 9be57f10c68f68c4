import type { TextStatusView, TextView } from '../../api/sms';

/** Nothing follows these. */
const finals: TextStatusView[] = ['delivered', 'undelivered', 'failed', 'skipped'];

export const isFinal = (text: TextView | undefined): boolean =>
  text !== undefined && finals.includes(text.status);

const sentences: Record<TextStatusView, string> = {
  pending: 'The test text is waiting to be sent.',
  sending: 'The test text is being sent.',
  unknown:
    'The provider did not say whether it took the test text. It is asked before another try.',
  sent: 'The provider took the test text. No word from the phone company yet.',
  delivered: 'The test text arrived.',
  undelivered: 'The phone company could not deliver the test text.',
  failed: 'The provider did not take the test text.',
  skipped: 'The test text was not sent.',
};

const reasons: Record<string, string> = {
  opted_out: 'This number opted out by answering STOP.',
  country: "Texts do not go to this number's country, or it is toll-free.",
};

/** The result of a test text, in plain words, with the provider's own reason where there is one. */
export function whatHappened({ status, errorMessage }: TextView): string {
  if (!errorMessage) return sentences[status];
  return `${sentences[status]} ${reasons[errorMessage] ?? `Reason: ${errorMessage}`}`;
}
