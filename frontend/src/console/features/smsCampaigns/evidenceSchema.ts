import { object } from 'yup';
import { phoneNumber } from '../../form/rules';

/** The server's rules for the number whose text is looked up. */
export const evidenceSchema = object({ phoneNumber: phoneNumber() });
