/**
 * Pages are templates: where the words of a raffle stand, a place for them does, which the server fills. What it can name
 * is in crates/http/web/src/client/words.rs.
 */
import { inDollars } from '../shared/lib/inDollars';
import type { Package } from '../site/features/planter/PlanterPage';
import type { KitItem, Raffle } from '../themes';

const place = (name: string) => `{{ ${name} }}`;

/** Amounts that stand nowhere else: a value has to be a number, and its words become the place. */
const WORTH = { dollars: 987_654, orMore: false };
const PART_CENTS = 98_765_300;

/** One part stands for all, which `filled` repeats. */
const kit: KitItem[] = [
  { item: place('part.item'), detail: place('part.detail'), valueInCents: PART_CENTS },
];

/** Any raffle. */
export const anyRaffle: Raffle = {
  key: place('raffle.key'),
  name: place('raffle.name'),
  title: place('raffle.title'),
  tagline: place('raffle.tagline'),
  description: place('raffle.description'),
  kit,
  totalValue: WORTH,
  metaTitle: place('raffle.metaTitle'),
  metaDescription: place('raffle.metaDescription'),
  successTitle: place('raffle.successTitle'),
  showsNextDrawing: true,
  share: {
    emailSubject: place('raffle.emailSubject'),
    emailBody: place('raffle.emailBody'),
    textBody: place('raffle.textBody'),
  },
  palette: place('raffle.palette'),
  picture: { scene: '' },
  shareHeading: place('raffle.shareHeading'),
  masksNumbers: false,
  waitsForUser: false,
  isOpen: true,
  openRaffles: [],
};

/** The same where it has ended, and one raffle stands for all that are open. */
export const anyEnded: Raffle = { ...anyRaffle, isOpen: false, openRaffles: [anyRaffle] };

/** What the page behind the links of any raffle shows. */
export const anyPackage: Package = {
  thanks: place('raffle.package.thanks'),
  name: place('raffle.package.name'),
  description: place('raffle.package.description'),
  prizes: kit,
  totalValue: place('raffle.package.value'),
  drawing: { day: place('raffle.package.day'), words: place('raffle.package.date') },
};

/** The path of the image for link previews. */
export const RAFFLE_IMAGE = place('raffle.image');
export const RAFFLE_SCENE = place('raffle.scene');
/** The same on the page where people enter, which shows it smaller on a phone. */
export const OFFER_SCENE = place('raffle.offerScene');
export const RAFFLE_WORTH = place('raffle.value');

/** The first text where something holds for the raffle, the second where it does not. */
export const either = (condition: string, first: string, second: string) =>
  first === second ? first : `{% if ${condition} %}${first}{% else %}${second}{% endif %}`;

/** Rendered HTML with its places, in which a list with one element has that of each of `parts` or of all raffles. */
export function withPlaces(html: string, parts = 'raffle.parts'): string {
  const worth = inDollars(WORTH.dollars * 100);
  return html
    .replaceAll(worth, RAFFLE_WORTH)
    .replaceAll(inDollars(PART_CENTS), place('part.value'))
    .replaceAll(encodeURIComponent(worth), encodeURIComponent(RAFFLE_WORTH)) // in a link's message
    .replace(/%7B%7B%20([\w.]+)%20%7D%7D/g, '{{ $1|encoded }}')
    .replace(/<li><span class="kit-item">.*?<\/li>/gs, each('part', parts));
}

/** With each element of a list of one in the place of all raffles that are open. */
export const forAllRaffles = (html: string): string =>
  html.replace(/<li[^>]*><a href="\/\{\{ raffle\.key \}\}".*?<\/li>/gs, each('raffle', 'raffles'));

/** One text where raffles are open, another where none is. */
export const ifAnyIsOpen = (some: string, none: string): string =>
  either('raffles', forAllRaffles(some), none);

const each = (name: string, list: string) => (element: string) =>
  `{% for ${name} in ${list} %}${element}{% endfor %}`;

/** Fails where something that is no place would be read as one. */
export function checked(html: string): string {
  const rest = html.replace(/\{\{ [\w.|]+ \}\}|\{% [\w. ]+ %\}/g, '');
  const found = /.{0,40}\{[{%#].{0,40}/.exec(rest);
  if (found) throw new Error(`this would be read as a place: ${found[0]}`);
  return html;
}
