import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inPlainSigns, plainSign, segmentsOf, signsOutside, type Segments } from './smsSegments';

const a = (count: number) => 'a'.repeat(count);
const family = '👨‍👩‍👧';

describe('a text in segments', () => {
  it.each<[string, string, Segments['encoding'], number, number]>([
    ['nothing', '', 'GSM-7', 0, 1],
    ['160 letters', a(160), 'GSM-7', 160, 1],
    ['161 letters', a(161), 'GSM-7', 161, 2],
    ['306 letters', a(306), 'GSM-7', 306, 2],
    ['307 letters', a(307), 'GSM-7', 307, 3],
    ['the longest text', a(1_600), 'GSM-7', 1_600, 11],
    ["the alphabet's odd signs", '@£$¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉ¤¡ÄÖÑÜ§¿äöñüà\r\n', 'GSM-7', 43, 1],
    ['an escaped sign that still fits', `${a(158)}€`, 'GSM-7', 159, 1],
    ['an escaped sign that does not', `${a(159)}{`, 'GSM-7', 160, 2],
    ['escaped signs alone', '|^€{}[]~\\\f'.repeat(8), 'GSM-7', 80, 1],
    ['one escaped sign more', `${'|^€{}[]~\\\f'.repeat(8)}~`, 'GSM-7', 81, 2],
    ['a pair that would be split', `${a(152)}€${a(152)}`, 'GSM-7', 305, 3],
    ['a pair at the end of a part', `${a(151)}€${a(153)}`, 'GSM-7', 305, 2],
    ['70 signs of another script', 'ж'.repeat(70), 'UCS-2', 70, 1],
    ['71 signs of another script', 'ж'.repeat(71), 'UCS-2', 71, 2],
    ['135 signs of another script', 'ж'.repeat(135), 'UCS-2', 135, 3],
    ['one curly quote among letters', `${a(70)}’`, 'UCS-2', 71, 2],
    ['a small c with a cedilla', 'ç', 'UCS-2', 1, 1],
    ['a backtick', '`', 'UCS-2', 1, 1],
    ['a tab', '\t', 'UCS-2', 1, 1],
    ['35 emoji', '🎟'.repeat(35), 'UCS-2', 35, 1],
    ['36 emoji', '🎟'.repeat(36), 'UCS-2', 36, 2],
    ['an emoji that would be split', `${'ж'.repeat(66)}🎟${'ж'.repeat(66)}`, 'UCS-2', 133, 3],
    ['a family of emoji', family, 'UCS-2', 5, 1],
  ])('is counted: %s', (_, text, encoding, characters, segments) => {
    expect(segmentsOf(text)).toEqual({ encoding, characters, segments });
  });
});

interface Vector {
  name: string;
  text: string;
  encoding: string;
  segments: number;
}

const contracts = process.env.TOMBOLA_CONTRACTS;

function vectors(): Vector[] {
  if (!contracts) {
    console.warn("The provider's own segment counts were skipped: TOMBOLA_CONTRACTS is not set.");
    return [];
  }
  const file = JSON.parse(readFileSync(join(contracts, 'test-vectors.json'), 'utf8')) as {
    sms_segments: { cases: Vector[] };
  };
  return file.sms_segments.cases;
}

describe.skipIf(!contracts)("the provider's own counts", () => {
  it.each(vectors())('agree: $name', ({ text, encoding, segments }) => {
    expect(segmentsOf(text)).toMatchObject({ encoding, segments });
  });
});

describe('characters outside of GSM-7', () => {
  it('are named once each', () => {
    expect(signsOutside('Don’t wait — it’s 🌱 time')).toEqual(['’', '—', '🌱']);
    expect(signsOutside('Plain {LINK} €')).toEqual([]);
  });

  it('have plain ones that mean the same, if there are any', () => {
    expect(inPlainSigns('“Don’t” wait…\u00a0— café, Á, naïve 🌱')).toBe(
      '"Don\'t" wait... - café, A, naive 🌱',
    );
    expect(inPlainSigns('e\u0301')).toBe('é');
    expect(segmentsOf(inPlainSigns('‘a’ “b” – c…')).encoding).toBe('GSM-7');
    expect([plainSign('🌱'), plainSign('ж'), plainSign('’')]).toEqual([undefined, undefined, "'"]);
  });
});
