import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
const base = read('./base.css');

it('titles are bold in every face, and no face is made bolder than it is', () => {
  const faces = base.match(/@font-face \{[^}]*\}/g) ?? [];
  expect(faces).toHaveLength(2);
  for (const face of faces) expect(face).toContain('font-weight: 400 700;');
  expect(base).toMatch(/h2,[^{]*\{\s*font-family: Display,[^}]*font-weight: 700;/);
});

it.each(['../ui/field.css', '../features/claim/claim.css'])(
  'inputs have the fill of the card: %s',
  (file) => {
    const fields = read(file).match(/\.field (?::is\(input, textarea\)|select) \{[^}]*\}/g) ?? [];
    expect(fields).toHaveLength(1);
    expect(fields[0]).toContain('background: var(--card);');
  },
);
