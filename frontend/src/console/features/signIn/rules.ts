import { lengthOf } from '../../../shared/lib/lengthOf';

export interface SignInValues {
  username: string;
  password: string;
  /** Only asked for once the two are right, and where the account has a second factor. */
  code: string;
}

const MOST_CHARACTERS = 256;
const MOST_PASSWORD_BYTES = 1024;

/** The server's rules for logging in, without yup: the console's first screen does not have to load it. */
export const signInRules = {
  username: {
    validate: (username: string) => {
      if (!username.trim()) return 'Username is required';
      return lengthOf(username.trim()) > MOST_CHARACTERS ? 'Username is too long' : undefined;
    },
  },
  password: {
    validate: (password: string) => {
      if (!password) return 'Password is required';
      const { length } = new TextEncoder().encode(password);
      return length > MOST_PASSWORD_BYTES ? 'Password is too long' : undefined;
    },
  },
};
