import userEvent from '@testing-library/user-event';

/** Types and clicks without pauses, so that no answer of the server comes between the two clicks of a double click. */
export const newUser = () => userEvent.setup({ delay: null });

export type User = ReturnType<typeof newUser>;
