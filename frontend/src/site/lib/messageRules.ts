import { lengthOf } from '../../shared/lib/lengthOf';

const MIN_CHARS = 10;
export const MAX_CHARS = 500;

/** The server's rules for what people write to staff. Spaces around the message do not count. */
export const messageRules = {
  message: {
    validate: (typed: string) => {
      const length = lengthOf(typed.trim());
      if (length === 0) return 'Tell us what happened.';
      if (length < MIN_CHARS) return `Write at least ${MIN_CHARS} characters.`;
      if (length > MAX_CHARS) return `Write at most ${MAX_CHARS} characters.`;
      return undefined;
    },
  },
};
