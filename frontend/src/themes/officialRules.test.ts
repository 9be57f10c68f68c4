import { describe, expect, it } from 'vitest';
import { terms } from './legal';
import type { LegalDocument, Prose } from './types';

const rulesFile = '../../../crates/domain/drawing/src/rules/official_rules.txt';

function wordsOf(prose: Prose): string {
  const parts = [prose].flat();
  return parts.map((part) => (typeof part === 'string' ? part : spelledLink(part))).join('');
}

/** Readers of plain text see where a link leads. */
function spelledLink({ text, href }: { text: string; href: string }): string {
  return href.startsWith('mailto:') ? text : `${text} (${href})`;
}

/** Blocks that an empty line separates: a heading begins with `#` or `##`, each line of a list with `-`. */
function plainText({ title, intro, sections }: LegalDocument): string {
  const blocks = sections.flatMap(({ heading, paragraphs, list = [] }) => [
    `## ${heading}`,
    ...paragraphs.map(wordsOf),
    ...(list.length > 0 ? [list.map((item) => `- ${wordsOf(item)}`).join('\n')] : []),
  ]);
  return [`# ${title}`, wordsOf(intro), ...blocks].join('\n\n') + '\n';
}

describe('the text of the rules that the server stores', () => {
  it('is the text of the page with the terms; vitest -u writes it', async () => {
    await expect(plainText(terms)).toMatchFileSnapshot(rulesFile);
  });

  it('has one paragraph for each line', () => {
    expect(plainText(terms)).not.toMatch(/\n{3}|[ \t]\n|\r/);
  });
});
