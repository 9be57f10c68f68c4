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
