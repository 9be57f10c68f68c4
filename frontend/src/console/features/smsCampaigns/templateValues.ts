import type { SmsTemplateBody, SmsTemplateView } from '../../api/sms';
import type { LandingPageView } from '../../api/admin';
import { planterPath, raffleKeys } from '../../lib/raffles';
import { inPlainSigns } from '../../lib/smsSegments';

export const LINK = '{LINK}';

export interface TemplateValues {
  name: string;
  landingPage: LandingPageView;
  messageTemplate: string;
  /** Has no input: new templates have the usual one, old ones keep theirs. */
  linkPlaceholder: string;
  isActive: boolean;
}

export const newTemplate = (): TemplateValues => ({
  name: '',
  landingPage: raffleKeys()[0] ?? '',
  messageTemplate: '',
  linkPlaceholder: LINK,
  isActive: true,
});

export const valuesOf = (template: SmsTemplateView): TemplateValues => ({
  name: template.name,
  landingPage: template.landingPage,
  messageTemplate: template.messageTemplate,
  linkPlaceholder: template.linkPlaceholder,
  isActive: template.isActive,
});

export const bodyOf = (values: TemplateValues): SmsTemplateBody => ({
  ...values,
  name: values.name.trim(),
});

/** A link as each recipient gets one of their own: it says the raffle, and is as long. */
export const exampleLink = (landingPage: LandingPageView): string =>
  `${location.origin}${planterPath(landingPage, 'preview234567')}`;

/** What the server adds to a text that does not say how to stop. */
const OPT_OUT = ' Reply STOP to opt out.';

/** What stands behind the message: nothing where it has the word STOP; NON-STOP is not it. The server has the same rule. */
export const endOf = (message: string): string =>
  message.split(/[^\p{L}\p{N}'’_-]+/u).includes('STOP') ? '' : OPT_OUT;

/** The message with plain characters; its placeholders stay. */
export const inPlainWords = (message: string, placeholder: string): string =>
  (placeholder ? message.split(placeholder) : [message]).map(inPlainSigns).join(placeholder);

/** What a recipient reads. */
export function exampleText(
  message: string,
  placeholder: string,
  landingPage: LandingPageView,
): string {
  const text = message.trim();
  if (text === '') return '';
  const linked = placeholder ? text.replaceAll(placeholder, exampleLink(landingPage)) : text;
  return linked + endOf(text);
}
