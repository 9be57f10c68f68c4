import { mixed, object, string } from 'yup';
import type { RejectionReasonView } from '../../api/admin';
import { lengthOf } from '../../../shared/lib/lengthOf';
import { reasonNames, type Act } from './words';

const NOTE_CHARS = 500;

const note = (required: string) =>
  string()
    .trim()
    .required(required)
    .test('min', 'Write at least 3 characters.', (text) => lengthOf(text) >= 3)
    .test(
      'max',
      `Must have at most ${NOTE_CHARS} characters`,
      (text) => lengthOf(text) <= NOTE_CHARS,
    );

const CARRIER_CHARS = 40;

const carrier = string()
  .trim()
  .required('Enter the carrier.')
  .test(
    'length',
    `Must have 2 to ${CARRIER_CHARS} characters`,
    (text) => lengthOf(text) >= 2 && lengthOf(text) <= CARRIER_CHARS,
  );

const trackingNumber = string()
  .transform((text: string) => text.replace(/\s/g, ''))
  .required('Enter the tracking number.')
  .matches(/^[a-z0-9-]{6,40}$/i, 'Must have 6 to 40 letters, digits and dashes');

const reasons = Object.keys(reasonNames) as RejectionReasonView[];

/** The server's rules for what staff write about a claim. */
export const claimSchema = object({
  act: mixed<Act>().defined(),
  reason: mixed<RejectionReasonView | ''>()
    .defined()
    .when('act', {
      is: 'reject',
      then: (reason) =>
        reason.test('reason', 'Choose a reason.', (key) => reasons.some((each) => each === key)),
    }),
  carrier: string()
    .defined()
    .when('act', { is: 'ship', then: () => carrier }),
  trackingNumber: string()
    .defined()
    .when('act', { is: 'ship', then: () => trackingNumber }),
  note: string()
    .defined()
    .when('act', {
      is: (act: Act) => act === 'reject' || act === 'call' || act === 'confirm',
      then: () => note('Write a note.'),
    }),
});
