import { object, string } from 'yup';
import { phoneNumber } from '../../form/rules';

/** The server's rules for the form of credentials; whether they are anybody's only the provider knows. */
export const credentialSchema = object({
  TWILIO_ACCOUNT_SID: string()
    .defined()
    .trim()
    .matches(/^AC[0-9a-f]{32}$/i, 'Must be AC and 32 letters a to f and digits'),
  TWILIO_AUTH_TOKEN: string()
    .defined()
    .trim()
    .matches(/^[0-9a-f]{32}$/i, 'Must be 32 letters a to f and digits'),
  TWILIO_PHONE_NUMBER: phoneNumber(),
});

export const testTextSchema = object({ phoneNumber: phoneNumber() });
