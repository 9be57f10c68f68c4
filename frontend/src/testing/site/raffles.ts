import { readFileSync } from 'node:fs';
import type { Package } from '../../site/features/planter/PlanterPage';
import type { Raffle } from '../../themes';

/** The contents of the first four raffles stand in it, and what the pages behind their links show. */
const migration = readFileSync('../migrations/0002_raffles/up.sql', 'utf8');

const jsons = (mark: string): unknown[] =>
  [...migration.matchAll(new RegExp(`\\$${mark}\\$(.*?)\\$${mark}\\$`, 'g'))].map(
    ([, json = '']) => JSON.parse(json) as unknown,
  );

const keys = ['garden-bag', 'fresh-sips', 'kitchen-garden', 'sustainable-living'];
type Content = Omit<
  Raffle,
  'key' | 'shareHeading' | 'masksNumbers' | 'waitsForUser' | 'isOpen' | 'openRaffles'
>;
const contents = jsons('json') as Content[];

/** The first four raffles, as the server writes them into their pages. */
export const raffles: Record<string, Raffle> = Object.fromEntries(
  keys.map((key, index) => [
    key,
    {
      ...contents[index]!,
      key,
      shareHeading: key === 'garden-bag' ? 'Double Your Chances!' : 'Double Your Chances',
      masksNumbers: key === 'garden-bag',
      waitsForUser: key === 'sustainable-living',
      isOpen: true,
      openRaffles: [],
    },
  ]),
);

/** A raffle as it is once it has ended, while these others are open. */
export const ended = (key: string, ...open: string[]): Raffle => ({
  ...raffleOf(key),
  isOpen: false,
  openRaffles: open.map((other) => ({ key: other, name: raffleOf(other).name })),
});

/** What the pages behind their links show. */
export const planters = Object.fromEntries(
  (jsons('page') as Package[]).map((page, index) => [keys[index]!, page]),
);

/** The raffle with this key. */
export function raffleOf(key: string): Raffle {
  const raffle = raffles[key];
  if (!raffle) throw new Error(`the migration has no ${key}`);
  return raffle;
}

/** Makes this a page of a raffle, as the server does; of none without one. */
export function writePageRaffle(raffle?: Raffle) {
  writeData('raffle', raffle);
}

/** Writes the looks of the four into this page, as the server does; `photos` are the HTML of uploads. */
export function writeLooks(photos: Record<string, string> = {}) {
  const look = ({ key, palette, picture }: Raffle) => [
    key,
    [palette, picture.scene, ...(photos[key] ? [photos[key]] : [])],
  ];
  writeData('looks', Object.fromEntries(Object.values(raffles).map(look)));
}

/** Writes the names of the four into this page, as the server does. */
export function writeNames(named = Object.values(raffles)) {
  writeData(
    'raffles',
    named.map(({ key, name, isOpen }) => ({ key, name, isOpen })),
  );
}

function writeData(id: string, value: unknown) {
  document.getElementById(id)?.remove();
  if (value === undefined) return;
  const block = document.createElement('script');
  block.type = 'application/json';
  block.id = id;
  block.textContent = JSON.stringify(value);
  document.body.append(block);
}
