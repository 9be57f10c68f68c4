import { object } from 'yup';
import { phoneNumber } from '../../form/rules';

/** The server's rules for the number that a test goes to. */
export const testTextSchema = object({ phoneNumber: phoneNumber() });
