export interface Segments {
  encoding: 'GSM-7' | 'UCS-2';
  /** As people count them, and as a text's limit is counted. */
  characters: number;
  /** What is paid for: the parts that phones put together again. */
  segments: number;
}

/** The longest text that the provider takes. */
export const TEXT_CHARACTERS = 1_600;

// GSM 03.38: the alphabet, and what an escape in front makes of some of its signs.
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const escaped = new Set('\f^{}\\[~]|€');

const isGsm = (character: string) => basic.has(character) || escaped.has(character);

/** How a text travels: one sign outside of GSM 03.38 makes it UCS-2, of which fewer fit into a part. */
export function segmentsOf(text: string): Segments {
  const characters = [...text];
  const fits = characters.every(isGsm);
  return {
    encoding: fits ? 'GSM-7' : 'UCS-2',
    characters: characters.length,
    segments: fits
      ? partsOf(characters.map(septetsOf), 160, 153)
      : partsOf(characters.map(codeUnitsOf), 70, 67),
  };
}

/** The signs that make a text UCS-2, each once. */
export const signsOutside = (text: string): string[] => [
  ...new Set([...text].filter((character) => !isGsm(character))),
];

/** What word processors and phones put in the place of plain signs, where Unicode does not say which those are. */
const typographic = new Map([
  // eslint-disable-next-line no-restricted-syntax -- the sign that is replaced, not one of the pages
  ...pairs('\u2018\u2019\u201a\u2032\u00b4`', "'"),
  ...pairs('\u201c\u201d\u201e\u2033\u00ab\u00bb', '"'),
  ...pairs('\u2010\u2011\u2012\u2013\u2014\u2212\u2022\u00b7', '-'),
  ...pairs('\t', ' '),
  ...pairs('\u200b\ufeff', ''),
]);

function pairs(signs: string, plain: string): [string, string][] {
  return [...signs].map((sign) => [sign, plain]);
}

/** The sign of GSM 03.38 that means the same: the letter without its accent, the straight quote. Undefined for an emoji, say. */
export function plainSign(character: string): string | undefined {
  const known = typographic.get(character);
  if (known !== undefined) return known;
  const apart = character.normalize('NFKD').replace(/\p{M}/gu, '');
  return [...apart].every(isGsm) && apart !== '' ? apart : undefined;
}

/** The text with plain signs where there are some. */
export const inPlainSigns = (text: string): string =>
  [...text.normalize('NFC')]
    .map((character) => (isGsm(character) ? character : (plainSign(character) ?? character)))
    .join('');

const septetsOf = (character: string) => (escaped.has(character) ? 2 : 1);
const codeUnitsOf = (character: string) => character.length;

/** The header of a part of several takes some of its room; a pair of units is never split between two. */
function partsOf(sizes: number[], alone: number, ofSeveral: number): number {
  if (sizes.reduce((total, size) => total + size, 0) <= alone) return 1;
  let parts = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > ofSeveral) {
      parts += 1;
      used = 0;
    }
    used += size;
  }
  return parts;
}
