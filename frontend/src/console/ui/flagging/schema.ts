import { mixed, object } from 'yup';
import type { PublicReasonView } from '../../api/admin';
import { text } from '../../form/rules';

/** The server's rules for the reason of a flag, or of its end. */
const reason = text(200, 'Enter a reason.', 'Must be one line of at most 200 characters');
export const reasonSchema = object({ reason });

/** The same, with what the entrant reads. */
export const flagSchema = object({
  reason,
  publicReason: mixed<PublicReasonView>().defined(),
});
