import { object, string } from 'yup';
import { lengthOf } from '../../../shared/lib/lengthOf';

const REASON = 'Enter 3 to 500 characters.';

type When = 'now' | 'month';

export interface Closing {
  when: When;
  reason: string;
}

export interface Opening {
  when: When;
}

const when = () => string<When>().defined();

/** Only a raffle that closes at once says why. */
export const closingSchema = object({
  when: when(),
  reason: string()
    .trim()
    .defined()
    .when('when', {
      is: 'now',
      then: (reason) =>
        reason.test('length', REASON, (text) => lengthOf(text) >= 3 && lengthOf(text) <= 500),
    }),
});

export const openingSchema = object({ when: when() });
