import { boolean, object, string } from 'yup';
import type { LandingPageView } from '../../api/admin';
import { raffle, text } from '../../form/rules';
import { lengthOf } from '../../../shared/lib/lengthOf';

const REASON = 'Enter 3 to 500 characters.';

const reason = () =>
  string()
    .trim()
    .required(REASON)
    .test('length', REASON, (value) => lengthOf(value) >= 3 && lengthOf(value) <= 500);

const prize = {
  name: text(120, 'Enter the prize.', 'Must be one line of at most 120 characters'),
  value: text(40, 'Enter its value.', 'Must be one line of at most 40 characters'),
};

/** What an additional drawing has besides the raffle. */
const additional = { reason: reason(), prizeName: prize.name, prizeValue: prize.value };

const raffleToDraw = {
  landingPage: raffle<LandingPageView>('Please select a landing page/raffle to draw from'),
};

/** What is always sent of an additional drawing. */
export const additionalSchema = object({ ...raffleToDraw, ...additional });

/** The fields of an additional drawing are checked when it is one. */
export const performSchema = object({
  ...raffleToDraw,
  isAdditional: boolean().defined(),
  reason: string()
    .defined()
    .when('isAdditional', { is: true, then: () => additional.reason }),
  prizeName: string()
    .defined()
    .when('isAdditional', { is: true, then: () => additional.prizeName }),
  prizeValue: string()
    .defined()
    .when('isAdditional', { is: true, then: () => additional.prizeValue }),
});

export const voidSchema = object({ reason: reason() });

export const beaconSchema = object({
  signature: string()
    .trim()
    .defined()
    .matches(/^[0-9a-f]{96}$/, 'Enter the 96 hexadecimal digits of the signature.'),
});
