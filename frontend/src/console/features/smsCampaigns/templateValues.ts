import type { SmsTemplateBody, SmsTemplateView } from '../../api/sms';
import type { LandingPageView } from '../../api/admin';

export const LINK = '{LINK}';

export interface TemplateValues {
  name: string;
  landingPage: LandingPageView;
  messageTemplate: string;
  /** Has no input: new templates have the usual one, old ones keep theirs. */
  linkPlaceholder: string;
  isActive: boolean;
}

export const newTemplate: TemplateValues = {
  name: '',
  landingPage: 'garden-bag',
  messageTemplate: '',
  linkPlaceholder: LINK,
  isActive: true,
};

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
export function exampleLink(landingPage: LandingPageView): string {
  const [prefix] = landingPage.split('-');
  return `${location.origin}/planter/${prefix}-preview234567`;
}

/** What a recipient reads. */
export const exampleText = (
  message: string,
  placeholder: string,
  landingPage: LandingPageView,
): string => (placeholder ? message.replaceAll(placeholder, exampleLink(landingPage)) : message);
