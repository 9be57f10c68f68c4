import { describe, expect, it } from 'vitest';
import { csvOf } from './csv';

describe('a CSV file', () => {
  it('has a line for each row', () => {
    const rows = [
      ['Code', 'Views'],
      ['ABC', 12],
      ['DEF', null],
      ['GHI', undefined],
    ];
    expect(csvOf(rows)).toBe('Code,Views\r\nABC,12\r\nDEF,\r\nGHI,\r\n');
  });

  it('keeps separators, quotes and line breaks in their cell', () => {
    expect(csvOf([['a,b', 'say "no"', 'one\ntwo', 'one\r\ntwo']])).toBe(
      '"a,b","say ""no""","one\ntwo","one\r\ntwo"\r\n',
    );
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+15551234567', "'+15551234567"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['=HYPERLINK("http://a","b")', '"\'=HYPERLINK(""http://a"",""b"")"'],
  ])('makes no formula of %j', (text, cell) => {
    expect(csvOf([[text]])).toBe(`${cell}\r\n`);
  });

  it('leaves numbers, also negative ones, and texts that only contain such a sign', () => {
    expect(csvOf([[-1.5, 'a=b', 'garden-bag', '2026-11-22']])).toBe(
      '-1.5,a=b,garden-bag,2026-11-22\r\n',
    );
  });
});
