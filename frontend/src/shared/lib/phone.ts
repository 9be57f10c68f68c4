import { asSeen } from './asSeen';
import { lengthOf } from './lengthOf';

/** The server's rules for a number as people type it: see crates/domain/kernel/src/phone.rs. */
export const PHONE_MIN_CHARS = 10;
export const PHONE_MAX_CHARS = 20;
export const PHONE_PATTERN = /^\+?[0-9 ()-]*$/;

/** Whether the server can turn it into an international number: one with a plus sign, or one of the US. */
export function isPhoneNumber(typed: string): boolean {
  const number = asSeen(typed).trim();
  const length = lengthOf(number);
  if (length < PHONE_MIN_CHARS || length > PHONE_MAX_CHARS) return false;
  if (!PHONE_PATTERN.test(number)) return false;
  // With a plus sign, numbers of other countries too. Those of the US have ten digits after the 1.
  const international = number.startsWith('+') ? /^\+(1\d{10}|[2-9]\d{7,14})$/ : /^\+1\d{10}$/;
  return international.test(normalizePhone(number));
}

/** The same for all spellings of a number. It does not check whether the text is a number. */
export function normalizePhone(typed: string): string {
  const seen = asSeen(typed).trim();
  const digits = seen.replace(/\D/g, '');
  const isUs = digits.length === 10 && !seen.startsWith('+');
  return isUs ? `+1${digits}` : `+${digits}`;
}

/** A number the way people write it: `+15551234567` reads `(555) 123-4567`; masked and foreign ones stay. */
export function formatPhone(phoneNumber: string): string {
  return phoneNumber.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3');
}

/** Whether the server gives only the last four digits: this browser is not the one that entered the number. */
export const isMasked = (phoneNumber: string) => phoneNumber.startsWith('*');

/** Only the last four digits stay readable. */
export function maskPhone(phoneNumber: string): string {
  return `***-***-${phoneNumber.slice(-4)}`;
}
