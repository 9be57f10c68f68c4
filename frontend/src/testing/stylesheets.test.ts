import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const src = fileURLToPath(new URL('..', import.meta.url));
const lists = ['site/styles/site.css', 'console/styles/console.css'];
/** Entries of their own: only some pages have them. */
const ofSomePages = [
  'site/features/drawings/drawings.css',
  'site/features/claim/claim.css',
  'site/features/success/yourEntry/yourEntry.css',
];
const layers = ['base', 'kit', 'screens'];
const read = (file: string) => readFileSync(join(src, file), 'utf8');

interface Import {
  file: string;
  layer: string | undefined;
}

function importsOf(list: string): Import[] {
  const lines = read(list).matchAll(/^@import '([^']+)'(?: layer\((\w+)\))?;$/gm);
  return [...lines].map(([, file = '', layer]) => ({
    file: normalize(join(dirname(list), file)),
    layer,
  }));
}

describe.each(lists)('%s', (list) => {
  const imports = importsOf(list);

  it('only imports', () => {
    const rest = read(list)
      .replace(/\/\*.*?\*\//gs, '')
      .replace(/^@import .*;$/gm, '')
      .trim();
    expect(rest).toBe('@layer base, kit, screens;');
  });

  it('names no file twice', () => {
    const files = imports.map(({ file }) => file);
    expect(files.filter((file, at) => files.indexOf(file) !== at)).toEqual([]);
  });

  // css-loader writes the imports before the list's own statement, so the first of each layer decides the order.
  it('puts every file into a layer, in the order of the layers', () => {
    const order = imports.map(({ layer }) => layers.indexOf(layer ?? ''));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
  });

  it('knows nothing of the other client', () => {
    const other = list.startsWith('site') ? 'console/' : 'site/';
    expect(imports.filter(({ file }) => file.startsWith(other))).toEqual([]);
  });
});

it('every stylesheet is in a list', () => {
  const listed = lists.flatMap((list) => importsOf(list).map(({ file }) => file));
  const all = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.css'),
  );
  expect([...new Set([...lists, ...ofSomePages, ...listed])].sort()).toEqual(all.sort());
});

it.each(ofSomePages)('%s is one layer', (file) => {
  const unlayered = read(file)
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/^@layer screens \{$.*?^\}$/ms, '');
  expect(unlayered.trim()).toBe('');
});
