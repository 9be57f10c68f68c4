import { object } from 'yup';
import { phoneNumber, reason } from '../../form/rules';

/** The server's rules for a number that is to get no more texts. */
export const stopNumberSchema = object({ phoneNumber: phoneNumber(), reason: reason() });
