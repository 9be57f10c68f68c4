/** What the inline boot script leaves for the application: a submit that came before it was there. */
export interface Early {
  held: boolean;
  /** The application did not arrive: gives the form back as it was, with what was typed. */
  giveUp: () => void;
  /** Stops holding submits; from here on the application answers them. */
  release: () => void;
}

declare global {
  interface Window {
    early?: Early | undefined;
  }
}

/** Where a tab keeps the code that it waits for: see features/entering/pendingCode.ts. */
export const CODE_KEY = 'tombola.code';

export const labels = { enter: 'Enter Free Raffle Now', entering: 'Entering...' };
