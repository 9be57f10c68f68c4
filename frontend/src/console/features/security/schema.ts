import { object } from 'yup';
import { text } from '../../form/rules';

/** The server's rules for the reason of a flag, or of its end. */
export const reasonSchema = object({
  reason: text(200, 'Enter a reason.', 'Must be one line of at most 200 characters'),
});
