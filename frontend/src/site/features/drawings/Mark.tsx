export type MarkState = 'pending' | 'ok' | 'failed' | 'unknown';

const marks: Record<MarkState, { sign: string; said: string }> = {
  pending: { sign: '·', said: 'Not checked yet:' },
  ok: { sign: '✓', said: 'Passed:' },
  failed: { sign: '✗', said: 'Failed:' },
  unknown: { sign: '?', said: 'Not checked:' },
};

/** Shown by its shape and named for screen readers, never by color alone. */
export function Mark({ state }: { state: MarkState }) {
  const { sign, said } = marks[state];
  return (
    <span className="mark-of" data-state={state}>
      <span aria-hidden="true">{sign}</span>
      <span className="unseen">{said}</span>
    </span>
  );
}
