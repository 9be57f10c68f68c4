import { ORIGIN } from './early/placeholders';
import type { Variant } from './variants';

/** While pages are built, there is no browser, and the boot script corrects what depends on it. */
export const isBuild = typeof document === 'undefined';

export const siteOrigin = () => (isBuild ? ORIGIN : location.origin);

export const userAgent = () => (isBuild ? '' : navigator.userAgent);

/** Whether the browser has a sheet of its own, and takes a text for it. */
export const hasShareSheet = () =>
  !!navigator.share && navigator.canShare?.({ text: 'A' }) !== false;

/** Empty as long as there is no code. */
export function referralLink(origin: string, variant: Variant, referralCode: string | undefined) {
  return referralCode ? `${origin}${variant.linkPath}${encodeURIComponent(referralCode)}` : '';
}

/** A mail or a message with values in place of its placeholders: the rule of crates/domain/raffle/src/content/share.rs. */
export const shareText = (template: string, values: Record<string, string>) =>
  template.replace(/\{([A-Z\d_]+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);

/** As a link is shown. */
export const withoutScheme = (link: string) => link.replace(/.*?\/\//, '');

/** Lines of a mail end as RFC 6068 says; some programs show no line break otherwise. */
export function mailHref(subject: string, body: string): string {
  const lines = body.replaceAll('\n', '\r\n');
  return `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(lines)}`;
}

/** Apple's Messages takes the body after `&`, everybody else's after `?`. */
export function smsHref(body: string, userAgent: string): string {
  return `sms:${smsSeparator(userAgent)}body=${encodeURIComponent(body)}`;
}

export const smsSeparator = (userAgent: string) =>
  /iP(hone|ad|od)|Mac/.test(userAgent) ? '&' : '?';
