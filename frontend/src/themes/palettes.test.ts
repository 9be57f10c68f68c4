// @vitest-environment node
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const css = readFileSync(fileURLToPath(new URL('./palettes.css', import.meta.url)), 'utf8');
const [lightCss = '', darkCss = ''] = css.split('@media (prefers-color-scheme: dark)');
const themeKeys = ['garden-bag', 'fresh-sips', 'kitchen-garden', 'sustainable-living', 'generic'];
const tokens = ['paper', 'paper-2', 'ink', 'ink-2', 'accent', 'accent-ink', 'line', 'ok', 'warn', 'bad'].concat(
  [1, 2, 3, 4, 5, 6].map((n) => `scene-${String(n)}`),
);

/** Text colour and what it stands on. */
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

type Palette = Map<string, string>;

function palettesIn(source: string): Map<string, Palette> {
  const blocks = source.matchAll(/\[data-theme='([\w-]+)'\]\s*\{([^}]*)\}/g);
  return new Map([...blocks].map(([, key = '', body = '']) => [key, paletteOf(body)]));
}

function paletteOf(body: string): Palette {
  const declarations = body.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})\s*;/g);
  return new Map([...declarations].map(([, token = '', colour = '']) => [token, colour]));
}

/** WCAG 2.2 relative luminance of #rrggbb. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function colour(palette: Palette | undefined, token: string): string {
  const value = palette?.get(token);
  if (value === undefined) throw new Error(`--${token} is missing`);
  return value;
}

describe('contrast', () => {
  it('follows the WCAG formula', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  });
});

describe.each([
  ['light', palettesIn(lightCss)],
  ['dark', palettesIn(darkCss)],
])('%s palettes', (_mode, palettes) => {
  it('cover every theme and nothing else', () => {
    expect([...palettes.keys()].sort()).toEqual([...themeKeys].sort());
  });

  describe.each(themeKeys)('%s', (key) => {
    const palette = palettes.get(key);

    it('sets every token', () => {
      expect([...(palette?.keys() ?? [])].sort()).toEqual([...tokens].sort());
    });

    it.each(textPairs)('%s on %s reads at 4.5:1 or more', (text, ground) => {
      expect(contrast(colour(palette, text), colour(palette, ground))).toBeGreaterThanOrEqual(4.5);
    });
  });
});
