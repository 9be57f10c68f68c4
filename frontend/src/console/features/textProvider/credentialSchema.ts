import { object, string } from 'yup';
import { phoneNumber } from '../../form/rules';

/** The server's rules for the form of credentials; whether they are anybody's only the provider knows. */
export const credentialSchema = object({
  TWILIO_ACCOUNT_SID: string()
    .defined()
    .trim()
    .matches(/^AC[0-9A-Fa-f]{32}$/, 'Must be AC and 32 letters a to f and digits'),
  TWILIO_AUTH_TOKEN: string()
    .defined()
    .trim()
    .matches(/^[0-9A-Fa-f]{32}$/, 'Must be 32 letters a to f and digits'),
  TWILIO_PHONE_NUMBER: phoneNumber(),
});
