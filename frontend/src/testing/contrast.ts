/** WCAG 2.2 contrast ratio of two colors, each #rrggbb. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** WCAG 2.2 relative luminance. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export type Palette = Map<string, string>;

/** The custom properties of a block of declarations whose values are colors. */
export function paletteOf(body: string): Palette {
  const declarations = body.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})\s*;/g);
  return new Map([...declarations].map(([, token = '', color = '']) => [token, color]));
}

export function color(palette: Palette | undefined, token: string): string {
  const value = palette?.get(token);
  if (value === undefined) throw new Error(`--${token} is missing`);
  return value;
}
