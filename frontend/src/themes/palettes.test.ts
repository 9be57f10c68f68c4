import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { color, contrast, paletteOf, type Palette } from '../testing/contrast';

const css = readFileSync(fileURLToPath(new URL('./palettes.css', import.meta.url)), 'utf8');
const [lightCss = '', darkCss = ''] = css.split('@media (prefers-color-scheme: dark)');
/** Those of crates/domain/raffle/src/content/look.rs, and that of pages without a raffle. */
const names = ['clay', 'mint', 'tomato', 'lagoon', 'plum', 'honey', 'slate', 'rose', 'generic'];
const tokens = ['paper', 'paper-2', 'ink', 'ink-2', 'accent', 'accent-ink', 'line', 'ok', 'warn', 'bad'].concat(
  [1, 2, 3, 4, 5, 6].map((n) => `scene-${String(n)}`),
);

/** Text color and what it stands on. */
const textPairs: [string, string][] = [
  ['ink', 'paper'],
  ['ink', 'paper-2'],
  ['ink-2', 'paper'],
  ['ink-2', 'paper-2'],
  ['accent-ink', 'accent'],
  ['accent', 'paper'],
  ['accent', 'paper-2'],
  ['ok', 'paper'],
  ['ok', 'paper-2'],
  ['warn', 'paper'],
  ['warn', 'paper-2'],
  ['bad', 'paper'],
  ['bad', 'paper-2'],
];

function palettesIn(source: string): Map<string, Palette> {
  const blocks = source.matchAll(/\[data-palette='([\w-]+)'\]\s*\{([^}]*)\}/g);
  return new Map([...blocks].map(([, key = '', body = '']) => [key, paletteOf(body)]));
}

describe.each([
  ['light', palettesIn(lightCss)],
  ['dark', palettesIn(darkCss)],
])('%s palettes', (_mode, palettes) => {
  it('are those that a raffle can have', () => {
    expect([...palettes.keys()].sort()).toEqual([...names].sort());
  });

  describe.each(names)('%s', (key) => {
    const palette = palettes.get(key);

    it('sets every token', () => {
      expect([...(palette?.keys() ?? [])].sort()).toEqual([...tokens].sort());
    });

    it.each(textPairs)('%s on %s reads at 4.5:1 or more', (text, ground) => {
      expect(contrast(color(palette, text), color(palette, ground))).toBeGreaterThanOrEqual(4.5);
    });
  });
});
