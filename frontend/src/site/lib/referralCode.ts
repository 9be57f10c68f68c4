/** By the rule and the alphabet of crates/domain/kernel/src/referral_code.rs. */
const CODE = /^[^34679CDFGHJKMNPQRTVWXY]*([34679CDFGHJKMNPQRTVWXY]{8})/i;

/** The code in a part of an address, without what links get on their way: brackets, the end of a sentence, `&fbclid=…`. */
export const codeIn = (part: string): string | undefined => CODE.exec(decoded(part))?.[1];

export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // `%` alone is no escape
  }
}
