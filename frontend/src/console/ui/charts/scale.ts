/** Round steps from 0 to at least the largest value: 0, 500, 1000, 1500. */
export function ticksUpTo(largest: number, atMost = 5): number[] {
  if (largest <= 0) return [0, 1];
  const rough = largest / (atMost - 1);
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((each) => each * magnitude >= rough) ?? 10;
  const step = Math.max(1, factor * magnitude); // what is counted comes in whole numbers
  const count = Math.ceil(largest / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** 1,200 as 1.2K, so that an axis stays narrow. */
export function short(value: number): string {
  return value.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: 1 });
}

/** Which of so many points carry a label, evenly, and always the last one. */
export function labelled(points: number, places: number): number[] {
  const every = Math.max(1, Math.ceil(points / Math.max(1, places)));
  const last = points - 1;
  return Array.from({ length: points }, (_, index) => index).filter(
    (index) => (last - index) % every === 0,
  );
}
