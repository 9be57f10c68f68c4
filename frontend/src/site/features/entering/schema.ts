import { boolean, object, string, type InferType } from 'yup';

// Unicode characters, not UTF-16 units: the server counts that way too.
const lengthOf = (text: string | undefined) => [...(text ?? '')].length;

/** The spec's rules in its order; the server then decides whether it is a number at all (D2). */
export const enterSchema = object({
  phoneNumber: string()
    .trim()
    .default('')
    .test({
      name: 'min',
      params: { min: 10 },
      message: 'Phone number must be at least 10 digits',
      test: (value) => lengthOf(value) >= 10,
    })
    .test({
      name: 'max',
      params: { max: 20 },
      message: 'Phone number is too long',
      test: (value) => lengthOf(value) <= 20,
    })
    .matches(/^\+?[0-9 ()-]*$/, {
      name: 'matches',
      message: 'Phone number can only contain digits, spaces, dashes, parentheses, and plus sign',
    }),
  smsConsent: boolean().default(false),
});

export type EnterValues = InferType<typeof enterSchema>;
