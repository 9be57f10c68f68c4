import type { FieldErrors } from 'react-hook-form';

/** What the server says too of every input that must be filled in. */
export const REQUIRED = 'Please fill in all required fields';

export const isMissing = (errors: FieldErrors): boolean =>
  Object.values(errors).some((error) => error?.message === REQUIRED);
