/** Codes of a second factor as people type and paste them. */

/** Six digits; authenticator apps show them as `123 456`. */
export const digitsOf = (code: string): string => code.replace(/[\s-]/g, '');

export const codeRule = {
  validate: (code: string) =>
    /^\d{6}$/.test(digitsOf(code)) ? undefined : 'Enter the six digits of the code.',
};

/** Sixteen letters and digits; the dashes may be left out. */
export const recoveryCodeRule = {
  validate: (code: string) =>
    /^[A-Za-z0-9]{16}$/.test(digitsOf(code))
      ? undefined
      : 'Enter a code such as 7K2M-Q4XN-9RTB-C3WD.',
};
