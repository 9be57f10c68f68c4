import type { Raffle } from '../../themes/types';

/** The raffle whose words the server wrote into this page; other pages have none. */
export const pageRaffle = () => dataOf('raffle') as Raffle | undefined;

/** Palette and scene of every raffle, by key, in pages that learn later which one they are about. */
export const looks = () => (dataOf('looks') ?? {}) as Partial<Record<string, [string, string]>>;

function dataOf(id: string): unknown {
  const text = document.getElementById(id)?.textContent;
  return text ? JSON.parse(text) : undefined;
}
