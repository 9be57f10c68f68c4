import type { StatsView, UserView } from '../api/generated';

/** What a success page shows of its entrant before the application is there. */
export interface Figures {
  user: UserView;
  stats: StatsView;
}

/** What the inline boot script leaves for the application: a submit that came before it was there. */
interface Early {
  held?: boolean;
  /** Stops holding submits and presses; from here on the application answers them. */
  release: () => void;
  /** The figures that stand in a success page. The boot script writes nothing into it from here on. */
  take?: () => Figures | undefined;
  /** Whether the page says that the link was copied. */
  copied?: boolean;
}

declare global {
  interface Window {
    early?: Early | undefined;
  }
}

/** Where a tab keeps a purchase that has to be finished: see features/purchase/unfinished.ts. */
export const PURCHASE_KEY = 'tombola.purchase';

/** Follows the path of people who were in already; the page says so and takes it off its address. */
export const AGAIN = '?again';

/** Follows the path of people who moved to this raffle, because their own one is over. */
export const MOVED = '?moved';

/** How people come to the page of success who are not new. */
export type Arrival = 'again' | 'moved';

/** How they come, by the query of the address. */
export const arrivalOf = (search: string): Arrival | undefined =>
  search === AGAIN ? 'again' : search === MOVED ? 'moved' : undefined;

/** Where a tab keeps the path of the last link of a friend that it opened: see features/entering/keptLink.ts. */
export const LINK_KEY = 'tombola.link';

/** Where a tab keeps the code that it waits for: see features/entering/pendingCode.ts. */
export const CODE_KEY = 'tombola.code';

/** What the button says that copied the link. */
export const COPIED = 'Copied!';

export const labels = { enter: 'Enter Free Raffle Now', entering: 'Entering...' };
