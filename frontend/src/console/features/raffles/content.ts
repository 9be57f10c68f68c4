import type { Content } from '../../api/raffles';

/** The most characters of each text: crates/domain/raffle/src/content.rs. */
export const most = {
  name: 60,
  title: 80,
  tagline: 120,
  description: 600,
  item: 60,
  detail: 120,
  metaTitle: 70,
  metaDescription: 170,
  successTitle: 60,
  emailSubject: 120,
  emailBody: 1_500,
  textBody: 320,
  alt: 160,
};
export const MOST_PARTS = 20;

/** Built-in colors and pictures, as they are called. */
export const palettes = {
  clay: 'Clay',
  mint: 'Mint',
  tomato: 'Tomato',
  lagoon: 'Lagoon',
  plum: 'Plum',
  honey: 'Honey',
  slate: 'Slate',
  rose: 'Rose',
};
export const scenes = {
  'tool-bag': 'Tool bag',
  cocktail: 'Cocktail',
  'kitchen-herbs': 'Kitchen herbs',
  'starter-kit': 'Starter kit',
  'gift-box': 'Gift box',
  'set-table': 'Set table',
  'summer-basket': 'Summer basket',
};

/** Changes a content at a path such as `kit.0.item`. */
export function withValue(content: Content, path: string, value: unknown): Content {
  return changed(content, path.split('.'), value) as Content;
}

function changed(part: unknown, [name = '', ...rest]: string[], value: unknown): unknown {
  const inner = (part as Record<string, unknown>)[name];
  const next = rest.length > 0 ? changed(inner, rest, value) : value;
  if (Array.isArray(part))
    return part.map((each: unknown, at) => (String(at) === name ? next : each));
  return { ...(part as object), [name]: next };
}

/** Whether both promise the same: another prize waits for a month that begins. */
export const hasSamePrize = (one: Content, other: Content): boolean =>
  JSON.stringify([one.name, one.kit, one.totalValue]) ===
  JSON.stringify([other.name, other.kit, other.totalValue]);

export const isSame = (one: Content, other: Content): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The path of a field as the server writes it, `content.kit.0.item` or `kit[0].item`, as the form does. */
export const pathOf = (field: string): string =>
  field.replace(/^content\./, '').replace(/\[(\d+)\]/g, '.$1');

const labels: Record<string, string> = {
  name: "The prize's name",
  title: 'Heading',
  tagline: 'Line on the list of raffles',
  description: 'Description',
  kit: 'What the kit includes',
  totalValue: 'Total value',
  metaTitle: 'Title in search results',
  metaDescription: 'Description in search results',
  successTitle: 'Heading for who has entered',
  'share.emailSubject': 'Subject of the mail',
  'share.emailBody': 'Mail',
  'share.textBody': 'Message',
  'picture.alt': 'What the picture shows',
  'picture.upload': 'Picture',
  item: 'name',
  detail: 'detail',
  valueInCents: 'value',
};

/** What the form calls a field. */
export function labelOf(path: string): string {
  const [, at, part] = /^kit\.(\d+)\.(\w+)$/.exec(path) ?? [];
  if (at !== undefined && part) return `Part ${Number(at) + 1}: ${labels[part] ?? part}`;
  return labels[path] ?? path;
}
