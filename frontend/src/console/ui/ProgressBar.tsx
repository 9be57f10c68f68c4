interface Props {
  label: string;
  value: number;
  /** Left out while it is not known: the bar then only says that something goes on. */
  max?: number | undefined;
}

/** How far something has come. The figures belong beside the bar, so that nobody has to read it. */
export function ProgressBar({ label, value, max }: Props) {
  if (max === undefined) return <progress aria-label={label} />;
  const whole = Math.max(max, 1);
  return <progress aria-label={label} max={whole} value={Math.min(value, whole)} />;
}
