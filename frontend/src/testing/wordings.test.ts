import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const server = readFileSync('../crates/domain/sms/src/consent.rs', 'utf8');

/** A sentence of the server, without the line breaks of its source. */
function sentenceOf(name: string): string {
  const found = RegExp(`pub const ${name}: Wording = Wording {[^}]*?sentence: "([^"]*)"`).exec(
    server,
  );
  return (found?.[1] ?? '').replace(/\\\n\s*/g, '');
}

/** The words of a file, as a browser shows them. */
const words = (file: string) =>
  readFileSync(`src/site/features/${file}`, 'utf8').replace(/\s+/g, ' ');

// Stored consents name the version of the sentence: what evidence shows must be what people read.
describe('the sentence that people agree to', () => {
  it.each([
    ['FORM_WORDING', 'entering/EnterForm.tsx'],
    ['SWITCH_WORDING', 'success/yourEntry/ConsentSwitch.tsx'],
  ])('is the one that the server keeps as %s', (name, file) => {
    const sentence = sentenceOf(name);
    expect(sentence).toMatch(/Reply STOP to opt out\.$/);
    expect(words(file)).toContain(`<span> ${sentence} </span>`);
  });
});
