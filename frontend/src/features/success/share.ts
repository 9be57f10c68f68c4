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

/** Copies the text of a field: by the clipboard, or by selecting it where there is none (plain http). */
export async function copyField(field: HTMLInputElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select();
    return typeof document.execCommand === 'function' && document.execCommand('copy');
  }
}
