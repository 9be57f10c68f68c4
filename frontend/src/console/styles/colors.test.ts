import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { color, contrast, paletteOf, type Palette } from '../../testing/contrast';

const read = (file: string) => readFileSync(fileURLToPath(new URL(file, import.meta.url)), 'utf8');
const sources = [read('./base.css'), read('../ui/charts/charts.css')];

const inDark = '@media (prefers-color-scheme: dark)';
const rootsOf = (css: string) => [...css.matchAll(/:root\s*\{([^}]*)\}/g)].map(([, body]) => body);
const light = paletteOf(sources.flatMap((css) => rootsOf(css.split(inDark)[0] ?? '')).join());
const dark = paletteOf(sources.flatMap((css) => rootsOf(css.split(inDark)[1] ?? '')).join());

const on = (grounds: string[], ...colors: string[]) =>
  grounds.flatMap((ground) => colors.map((each): [string, string] => [each, ground]));

const plain = ['page', 'card', 'sunken'];
const series = ['series-1', 'series-2', 'series-3', 'series-4'];

/** Text and its background: 4.5:1. */
const texts = [
  ...on(plain, 'ink', 'ink-2'), // muted text, neutral badges, bubbles, hovered buttons
  ...on(['accent-soft', 'warn-soft', 'bad-soft'], 'ink', 'ink-2'), // notices, failures, the winning ticket
  ...on(['page', 'card', 'accent-soft'], 'accent'), // tabs, the menu, pressed buttons
  ...on(['accent'], 'accent-ink'), // primary buttons, the skip link
  ...on(['bad'], 'bad-ink'), // buttons of dangerous acts
  ...on(['ok-soft'], 'ok'), // badges
  ...on(['page', 'card', 'warn-soft'], 'warn'),
  ...on(['page', 'card', 'bad-soft'], 'bad'),
];

/** Edges, focus, states and charts: 3:1. */
const marks = [
  ...on(plain, 'edge'), // inputs, secondary buttons, switches that are off
  ...on([...plain, 'accent-soft', 'warn-soft', 'bad-soft'], 'accent'), // the focus ring, progress
  ...on(['page', 'card'], 'bad'), // inputs that are wrong, filled buttons
  ...on(['card'], 'ok', ...series), // toasts; lines and bars of charts
  ...on(['accent-soft'], 'accent'), // the bars of notices
  ...on(['warn-soft'], 'warn'),
  ...on(['bad-soft'], 'bad'),
];

describe.each([
  ['light', light],
  ['dark', dark],
])('%s colors of the console', (_mode, palette) => {
  it('are all there', () => {
    expect([...palette.keys()].sort()).toEqual([...light.keys()].sort());
  });

  it('are all compared', () => {
    const compared = new Set([...texts, ...marks].flat());
    const lines = ['line']; // between things that also stand apart without it
    expect([...palette.keys()].filter((token) => !compared.has(token))).toEqual(lines);
  });

  it.each(texts)('%s on %s reads at 4.5:1 or more', (text, ground) => {
    expect(contrast(color(palette, text), color(palette, ground))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(marks)('%s on %s shows at 3:1 or more', (mark, ground) => {
    expect(contrast(color(palette, mark), color(palette, ground))).toBeGreaterThanOrEqual(3);
  });

  it.each([
    ['accent-ink', 'accent'],
    ['bad-ink', 'bad'],
  ])('%s on %s reads under the pointer too', (text, fill) => {
    expect(contrast(hovered(palette, text), hovered(palette, fill))).toBeGreaterThanOrEqual(4.5);
  });
});

/** As `filter: brightness(1.1)` of Button.css makes it. */
function hovered(palette: Palette, token: string): string {
  const channels = [1, 3, 5].map((at) => parseInt(color(palette, token).slice(at, at + 2), 16));
  const brighter = channels.map((channel) => Math.min(255, Math.round(channel * 1.1)));
  return `#${brighter.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
