import { lengthOf } from '../../shared/lib/lengthOf';

const LEAST_CHARACTERS = 15;
const MOST_BYTES = 1_024;
const TOO_LONG = 'This password is too long.';

const isTooLong = (password: string) => new TextEncoder().encode(password).length > MOST_BYTES;

/** For a password that one has: the server knows whether it is the right one. */
export const ownPasswordRule = {
  validate: (password: string) => {
    if (!password) return 'Enter your password.';
    return isTooLong(password) ? TOO_LONG : undefined;
  },
};

/** The server's rules for a new password. Whether it is a common one, or the account's name, only the server knows. */
export const newPasswordRule = {
  validate: (password: string) => {
    if (lengthOf(password) < LEAST_CHARACTERS) {
      return `Use at least ${LEAST_CHARACTERS} characters.`;
    }
    return isTooLong(password) ? TOO_LONG : undefined;
  },
};

export const PASSWORD_HINT = `At least ${LEAST_CHARACTERS} characters. Not a common password, and not your name.`;

/** For the second time that it is typed. */
export const repeatedRule = <Values extends Record<Name, string>, Name extends string>(
  name: Name,
) => ({
  validate: (again: string, values: Values) =>
    again === values[name] ? undefined : 'The two passwords differ.',
});
