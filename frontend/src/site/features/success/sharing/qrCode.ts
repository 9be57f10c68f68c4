/**
 * A text as a QR code (ISO/IEC 18004), as far as a link needs it: bytes, versions 1 to 6, error correction level M.
 * Rows of modules, `true` for a dark one; `undefined` if the text is longer than 106 bytes.
 */
export function qrCode(text: string): boolean[][] | undefined {
  const bytes = [...new TextEncoder().encode(text)];
  const version = versions.findIndex(({ data, blocks }) => bytes.length + 2 <= data * blocks) + 1;
  if (version === 0) return undefined;
  const codewords = protect(inCodewords(bytes, version), version);
  const candidates = masks.map((_, mask) => draw(codewords, version, mask));
  return candidates.reduce((best, next) => (penalty(next) < penalty(best) ? next : best));
}

/** By version, from 1: the bytes of data and of error correction in a block, and how many blocks there are. */
const versions = [
  { data: 16, correction: 10, blocks: 1 },
  { data: 28, correction: 16, blocks: 1 },
  { data: 44, correction: 26, blocks: 1 },
  { data: 32, correction: 18, blocks: 2 },
  { data: 43, correction: 24, blocks: 2 },
  { data: 27, correction: 16, blocks: 4 },
];

/** Mode and length in 12 bits, the bytes, a terminator of 4, and padding. All bytes stand half a byte later. */
function inCodewords(bytes: number[], version: number): number[] {
  const { data, blocks } = versions[version - 1]!;
  const halves = [4, bytes.length >> 4, bytes.length & 15];
  for (const byte of bytes) halves.push(byte >> 4, byte & 15);
  halves.push(0);
  const words = [];
  for (let at = 0; at < halves.length; at += 2) words.push((halves[at]! << 4) | halves[at + 1]!);
  for (let padding = 0xec; words.length < data * blocks; padding ^= 0xec ^ 0x11)
    words.push(padding);
  return words;
}

/** Adds the error correction to each block, and weaves the blocks. */
function protect(words: number[], version: number): number[] {
  const { data, correction, blocks } = versions[version - 1]!;
  const parts = Array.from({ length: blocks }, (_, block) =>
    words.slice(block * data, (block + 1) * data),
  );
  const checks = parts.map((part) => remainder(part, correction));
  return [...weave(parts, data), ...weave(checks, correction)];
}

const weave = (parts: number[][], length: number): number[] =>
  Array.from({ length }, (_, at) => parts.map((part) => part[at]!)).flat();

/** The remainder of the division by the generator polynomial of this degree, in GF(256): Reed and Solomon. */
function remainder(words: number[], degree: number): number[] {
  let generator = [1];
  for (let power = 0, root = 1; power < degree; power += 1, root = times(root, 2)) {
    const shifted = [0, ...generator.map((factor) => times(factor, root))];
    generator = shifted.map((factor, at) => factor ^ (generator[at] ?? 0));
  }
  const rest = [...words, ...Array<number>(degree).fill(0)];
  words.forEach((_, start) => {
    const lead = rest[start]!;
    generator.forEach((factor, at) => (rest[start + at]! ^= times(factor, lead)));
  });
  return rest.slice(words.length);
}

/** The product in GF(256) over x⁸ + x⁴ + x³ + x² + 1. */
function times(left: number, right: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    if ((right >> bit) & 1) product ^= left;
  }
  return product;
}

/** Where each mask turns a module over. */
const masks: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

function draw(codewords: number[], version: number, mask: number): boolean[][] {
  const size = 17 + 4 * version;
  const code = Array.from({ length: size }, () => Array<boolean | undefined>(size).fill(undefined));
  const set = (x: number, y: number, isDark: boolean) => {
    if (code[y] && x >= 0 && x < size) code[y][x] = isDark;
  };
  /** Rings around a middle: those at these distances are light. */
  const target = (middleX: number, middleY: number, radius: number, light: number[]) => {
    for (let y = -radius; y <= radius; y += 1)
      for (let x = -radius; x <= radius; x += 1)
        set(middleX + x, middleY + y, !light.includes(Math.max(Math.abs(x), Math.abs(y))));
  };

  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) target(x, y, 4, [2, 4]); // prettier-ignore
  if (version > 1) target(size - 7, size - 7, 2, [1]);

  const format = formatOf(mask);
  for (let bit = 0; bit < 15; bit += 1) {
    const isDark = ((format >> bit) & 1) === 1;
    const past = bit > 5 ? 1 : 0; // the timing pattern is in the way
    if (bit < 8) set(8, bit + past, isDark);
    else set(bit === 8 ? 7 : 14 - bit, 8, isDark);
    if (bit < 8) set(size - 1 - bit, 8, isDark);
    else set(8, size - 15 + bit, isDark);
  }
  set(8, size - 8, true);

  let at = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5; // a column of the timing pattern
    const isUp = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step += 1) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (code[y]![x] !== undefined) continue;
        const bit = ((codewords[at >> 3] ?? 0) >> (7 - (at & 7))) & 1;
        set(x, y, (bit === 1) !== masks[mask]!(x, y));
        at += 1;
      }
    }
  }
  return code as boolean[][];
}

/** Level M and the mask, with their own error correction: BCH(15, 5). */
function formatOf(mask: number): number {
  let rest = mask << 10;
  for (let bit = 14; bit >= 10; bit -= 1) if ((rest >> bit) & 1) rest ^= 0x537 << (bit - 10);
  return ((mask << 10) | rest) ^ 0x5412;
}

/** How hard a code is to read: long runs, squares, what looks like a corner, and too much of one color. */
function penalty(code: boolean[][]): number {
  const columns = code.map((_, x) => code.map((row) => row[x]!));
  const lines = [...code, ...columns].map((line) => line.map(Number).join(''));
  let points = 0;
  for (const line of lines) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) points += run.length - 2;
    points += 40 * [...line.matchAll(/(?=00001011101|10111010000)/g)].length;
  }
  for (let y = 1; y < code.length; y += 1)
    for (let x = 1; x < code.length; x += 1) {
      const [row, above] = [code[y]!, code[y - 1]!];
      if (row[x] === row[x - 1] && row[x] === above[x] && row[x] === above[x - 1]) points += 3;
    }
  const share = code.flat().filter(Boolean).length / code.length ** 2;
  return points + 10 * Math.floor(Math.abs(share - 0.5) * 20);
}
