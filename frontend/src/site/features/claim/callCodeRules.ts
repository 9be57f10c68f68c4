/** Ten letters and digits, however they are typed: `abcde 23456`. */
const CODE = /^[\s-]*(?:[a-z\d][\s-]*){10}$/i;

/** With spaces and dashes. */
const MOST = 32;

export const callCodeRules = {
  code: {
    validate: (typed: string) =>
      typed.length <= MOST && CODE.test(typed)
        ? undefined
        : 'Enter the code, for example ABCDE-23456.',
  },
};
