/**
 * Digits of all scripts as 0 to 9, all spaces and dashes as one kind, and without what nobody sees: as the server reads what
 * was typed, pasted or filled in. See crates/domain/kernel/src/as_seen.rs.
 */
export const asSeen = (text: string): string =>
  text
    .replace(/[\p{Cf}\ufe00-\ufe0f]/gu, '')
    .replace(/\p{Zs}/gu, ' ')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\p{Nd}/gu, valueOf);

/** Unicode has the ten digits of a script one after the other, from zero. */
function valueOf(digit: string): string {
  const code = digit.codePointAt(0)!;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}
