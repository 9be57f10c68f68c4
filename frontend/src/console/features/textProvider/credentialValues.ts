import type { CredentialsBody } from '../../api/sms';

export type CredentialValues = CredentialsBody;

/** Nothing that is saved ever comes back, so the form always begins empty. */
export const noCredentials: CredentialValues = {
  TWILIO_ACCOUNT_SID: '',
  TWILIO_AUTH_TOKEN: '',
  TWILIO_PHONE_NUMBER: '',
};

export const bodyOf = (values: CredentialValues): CredentialsBody => ({
  TWILIO_ACCOUNT_SID: values.TWILIO_ACCOUNT_SID.trim(),
  TWILIO_AUTH_TOKEN: values.TWILIO_AUTH_TOKEN.trim(),
  TWILIO_PHONE_NUMBER: values.TWILIO_PHONE_NUMBER.trim(),
});

/** What can be brought into the international form: a `+` and 8 to 15 digits, or a number of the United States (D2). */
export function isPhoneNumber(text: string): boolean {
  const trimmed = text.trim();
  if ([...trimmed].length > 20 || !/^\+?[0-9 ()-]+$/.test(trimmed)) return false;
  const digits = trimmed.replace(/\D/g, '');
  return trimmed.startsWith('+') ? /^[1-9]\d{7,14}$/.test(digits) : /^1?\d{10}$/.test(digits);
}
