export type MarkState = 'pending' | 'ok' | 'failed' | 'unknown';

const marks: Record<MarkState, { sign: string; said: string }> = {
  pending: { sign: '·', said: 'Not checked yet:' },
  ok: { sign: '✓', said: 'Holds:' },
  failed: { sign: '✗', said: 'Failed:' },
  unknown: { sign: '?', said: 'Not checked:' },
};

/** Told by its shape and by its word, never by its colour alone. */
export function Mark({ state }: { state: MarkState }) {
  const { sign, said } = marks[state];
  return (
    <span className="mark-of" data-state={state}>
      <span aria-hidden="true">{sign}</span>
      <span className="unseen">{said}</span>
    </span>
  );
}
