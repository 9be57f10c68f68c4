import { boolean, object, string, type InferType } from 'yup';
import { asSeen } from '../../../shared/lib/asSeen';
import { lengthOf } from '../../../shared/lib/lengthOf';
import { PHONE_MAX_CHARS, PHONE_MIN_CHARS, PHONE_PATTERN } from '../../../shared/lib/phone';

/** The spec's rules in its order; the server then decides whether it is a number at all. */
export const enterSchema = object({
  phoneNumber: string()
    .transform((typed: string) => asSeen(typed).trim())
    .default('')
    .test({
      name: 'min',
      params: { min: PHONE_MIN_CHARS },
      message: 'Phone number must be at least 10 digits',
      test: (value) => lengthOf(value) >= PHONE_MIN_CHARS,
    })
    .test({
      name: 'max',
      params: { max: PHONE_MAX_CHARS },
      message: 'Phone number is too long',
      test: (value) => lengthOf(value) <= PHONE_MAX_CHARS,
    })
    .matches(PHONE_PATTERN, {
      name: 'matches',
      message: 'Phone number can only contain digits, spaces, dashes, parentheses, and plus sign',
    }),
  smsConsent: boolean().default(false),
});

export type EnterValues = InferType<typeof enterSchema>;
