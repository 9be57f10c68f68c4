/** PHONE_VERIFICATION, which the server names in every page where it is on, and nowhere else; the boot script reads it too. */
export const CODES_META = 'meta[name=phone-verification]';

/** Whether a number is proved by a code. Prerendered pages do not know. */
export const needsCodes = () =>
  typeof document !== 'undefined' && document.querySelector(CODES_META) !== null;
