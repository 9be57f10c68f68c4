/** What tells lines apart besides their hue (the classes series-1 to series-5). */
export const series = [
  { dash: undefined, marker: 'circle' },
  { dash: '7 3', marker: 'square' },
  { dash: '2 3', marker: 'triangle' },
  { dash: '8 3 2 3', marker: 'diamond' },
  { dash: '14 4', marker: 'cross' },
] as const;

type MarkerKind = (typeof series)[number]['marker'];

interface Props {
  kind: MarkerKind | undefined;
  x: number;
  y: number;
}

export function Marker({ kind = 'circle', x, y }: Props) {
  return <path className="marker" d={shapes[kind](x, y)} />;
}

const shapes: Record<MarkerKind, (x: number, y: number) => string> = {
  circle: (x, y) => `M${x - 3.5} ${y}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0`,
  square: (x, y) => `M${x - 3} ${y - 3}h6v6h-6z`,
  triangle: (x, y) => `M${x} ${y - 4}l4 7h-8z`,
  diamond: (x, y) => `M${x} ${y - 4.5}l4.5 4.5l-4.5 4.5l-4.5-4.5z`,
  cross: (x, y) => `M${x - 3.5} ${y - 3.5}l7 7m0-7l-7 7`,
};
