import { mixed, object, string } from 'yup';
import type { DecisionView } from '../../api/admin';
import { lengthOf } from '../../../shared/lib/lengthOf';
import { text } from '../../form/rules';

const NOTE_CHARS = 500;

/** The server's rules for the decision of an appeal: whoever is refused is told why. */
export const decisionSchema = object({
  decision: mixed<DecisionView>().oneOf(['accept', 'reject']).defined(),
  note: string()
    .trim()
    .defined()
    .test(
      'max',
      `Must have at most ${NOTE_CHARS} characters`,
      (note) => lengthOf(note) <= NOTE_CHARS,
    )
    .when('decision', { is: 'reject', then: (note) => note.required('Enter a note.') }),
});

/** The server's rules for a shared network, but for what makes an address: it says that itself. */
export const networkSchema = object({
  network: text(64, 'Enter an address or a network.', 'Must be an address or a network'),
  label: text(80, 'Enter a name.', 'Must be one line of at most 80 characters'),
});
