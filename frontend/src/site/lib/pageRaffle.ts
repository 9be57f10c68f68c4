import type { Raffle } from '../../themes/types';

/** The raffle whose words the server wrote into this page; other pages have none. */
export const pageRaffle = () => dataOf('raffle') as Raffle | undefined;

/** The look of a raffle: its palette, its scene, and the HTML of its picture if it has one of its own. */
type Look = [palette: string, scene: string, picture?: string];

/** The looks of all raffles, by key, in pages that learn later which one they are about. */
export const looks = () => (dataOf('looks') ?? {}) as Partial<Record<string, Look>>;

/** A raffle as pages name it that list all of them. */
export interface NamedRaffle {
  key: string;
  name: string;
  isOpen: boolean;
}

/** All raffles that were ever open, in the order in which they are listed, in pages about drawings and claims. */
export const allRaffles = () => (dataOf('raffles') ?? []) as NamedRaffle[];

/** The name of a raffle's prize; the key of a raffle that the page does not know yet. */
export const raffleName = (raffle: string): string =>
  allRaffles().find(({ key }) => key === raffle)?.name ?? raffle;

function dataOf(id: string): unknown {
  const text = document.getElementById(id)?.textContent;
  return text ? JSON.parse(text) : undefined;
}
