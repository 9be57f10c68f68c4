/**
 * What the screens call raffles, in the order in which they are listed. It comes with the list of raffles, which the shell
 * waits for and watches: what a column or a sentence says is read while it is shown.
 */
interface NamedRaffle {
  landingPage: string;
  /** Empty for a draft that has none yet. */
  name: string;
  /** How the ids of the links in its texts begin, before a dash. */
  linkPrefix: string;
}

let known: NamedRaffle[] = [];

/** The server has told which raffles there are. */
export function nameRaffles(raffles: NamedRaffle[]): void {
  known = raffles;
}

/** The name of a raffle's prize; the key of a raffle that is not known. */
export const raffleName = (key: string): string => raffleNames()[key] ?? key;

/** The names by key. */
export const raffleNames = (): Record<string, string> =>
  Object.fromEntries(known.map(({ landingPage, name }) => [landingPage, name || landingPage]));

export const raffleKeys = (): string[] => known.map(({ landingPage }) => landingPage);

/** The page behind the link of a text, with an id that ends so. Nothing of a campaign is counted unless a text has the id. */
export function planterPath(key: string, end: string): string {
  const raffle = known.find(({ landingPage }) => landingPage === key);
  return `/planter/${raffle ? `${raffle.linkPrefix}-` : ''}${end}`;
}

export const isRaffle = (key: string): boolean => raffleKeys().includes(key);
