import { describe, expect, it } from 'vitest';
import { exampleLink, exampleText, hasLink, placeholders } from './welcomeText';

describe('a welcome message', () => {
  it.each(placeholders)('has its link in the place of %s', (placeholder) => {
    const link = exampleLink('fresh-sips');
    expect(link).toBe(`${location.origin}/fresh-sips/ref/ABCD2345`);
    expect(exampleText(` Share ${placeholder} now `, 'fresh-sips')).toBe(`Share ${link} now`);
    expect(hasLink(`Share ${placeholder}`)).toBe(true);
  });

  it('has a link in each of several places', () => {
    const link = exampleLink('garden-bag');
    expect(exampleText('{LINK}[LINK]', 'garden-bag')).toBe(`${link}${link}`);
  });

  it.each(['{link}', '[LINK}', '{LINK]', '{ LINK }', '{MY_LINK}', 'LINK', '$&'])(
    'leaves %s as it is',
    (text) => {
      expect(exampleText(text, 'garden-bag')).toBe(text);
      expect(hasLink(text)).toBe(false);
    },
  );
});
