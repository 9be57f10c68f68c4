import { hexToBytes } from '@noble/hashes/utils.js';

/** Lower-case hexadecimal of exactly so many bytes, as proofs and lists write them. */
export function bytesOf(hex: string, length: number): Uint8Array {
  if (typeof hex !== 'string' || hex.length !== 2 * length || !/^[0-9a-f]+$/.test(hex)) {
    throw new Error(`“${hex}” is not ${2 * length} hexadecimal digits.`);
  }
  return hexToBytes(hex);
}

/** 8 bytes, the most significant first. */
export function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value);
  return bytes;
}

/** The same for a number below 2⁵³, in place: a list has millions of them, and BigInt is slow. */
export function setU64(view: DataView, offset: number, value: number): void {
  view.setUint32(offset, wholeNumber(value) / 2 ** 32);
  view.setUint32(offset + 4, value % 2 ** 32);
}

export function wholeNumber(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new Error(`“${value}” is not a whole number.`);
  return value;
}
