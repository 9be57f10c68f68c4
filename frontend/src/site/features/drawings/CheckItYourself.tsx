import { lazy, Suspense, useRef } from 'react';
import { useCheck } from './useCheck';
import type { Proof, LogEntry } from './verification/proof';
import { countOf } from './words';

const BYTES_A_LINE = 75;

const Findings = lazy(() =>
  import(/* webpackChunkName: "findings" */ './Findings').catch(() => ({ default: NotLoaded })),
);

const NotLoaded = () => (
  <p role="alert">The page for this check did not arrive. Reload the page to try again.</p>
);

interface Props {
  proof: Proof;
  /** What this browser kept of the log before the beacon's round. */
  log?: LogEntry[] | undefined;
}

export function CheckItYourself({ proof, log }: Props) {
  const { checking, start, stop } = useCheck(proof, log);
  const startButton = useRef<HTMLButtonElement>(null);
  const running = checking.phase === 'running';

  function onStop() {
    stop();
    startButton.current?.focus(); // the button that had it goes away
  }

  return (
    <section className="card" aria-labelledby="check">
      <h2 id="check">Check it yourself</h2>
      <p>
        Your browser downloads the list ({countOf(proof.totalParticipants, 'line', 'lines')},{' '}
        {sizeOf(proof.totalParticipants)}) and recomputes the drawing from it. Our server only
        provides the list. Your device does the work.
      </p>
      <div className="turn">
        <button
          type="button"
          className={checking.phase === 'done' ? 'button quiet' : 'button'}
          ref={startButton}
          aria-disabled={running}
          onClick={start}
        >
          {running
            ? 'Checking...'
            : checking.phase === 'idle'
              ? 'Check it yourself'
              : 'Check again'}
        </button>
        {running && (
          <button type="button" className="button quiet" onClick={onStop}>
            Stop
          </button>
        )}
      </div>
      {checking.checked && (
        <Suspense fallback={null}>
          <Findings checking={checking} checked={checking.checked} />
        </Suspense>
      )}
    </section>
  );
}

function sizeOf(lines: number): string {
  const megabytes = (lines * BYTES_A_LINE) / 1e6;
  return megabytes < 1 ? 'less than 1 MB' : `about ${Math.round(megabytes)} MB`;
}
