import { lengthOf } from '../../../shared/lib/lengthOf';

const MOST_CHARACTERS = 256;

/** The server's rule for the name of somebody who is invited. Whether somebody has it, only the server knows. */
export const nameRule = {
  validate: (typed: string) => {
    const name = typed.trim();
    if (!name) return 'Enter a name.';
    if (lengthOf(name) > MOST_CHARACTERS) return `Use at most ${MOST_CHARACTERS} characters.`;
    return /^[A-Za-z0-9._-]+$/.test(name)
      ? undefined
      : 'Use letters a–z, digits, periods, hyphens and underscores.';
  },
};
