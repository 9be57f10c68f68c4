import type { Variant } from './variants';

/** Empty as long as there is no code. */
export function referralLink(origin: string, variant: Variant, referralCode: string | undefined) {
  return referralCode ? `${origin}${variant.linkPath}${encodeURIComponent(referralCode)}` : '';
}

export function mailHref(subject: string, body: string): string {
  return `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}

/** Apple's Messages takes the body after `&`, everybody else's after `?`. */
export function smsHref(body: string, userAgent: string): string {
  const separator = /iPhone|iPad|iPod|Macintosh/.test(userAgent) ? '&' : '?';
  return `sms:${separator}body=${encodeURIComponent(body)}`;
}
