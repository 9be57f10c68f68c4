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
