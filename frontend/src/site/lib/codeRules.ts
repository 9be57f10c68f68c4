import { asSeen } from '../../shared/lib/asSeen';

const CODE_DIGITS = 6;

/** A code however it was pasted: `123 456`. */
export const digitsOf = (typed: string) => asSeen(typed).replace(/\D/g, '');

export const isWhole = (typed: string) => digitsOf(typed).length === CODE_DIGITS;

export const codeRules = {
  code: {
    validate: (typed: string) => (isWhole(typed) ? undefined : 'Enter the 6 digits of the code'),
  },
};
