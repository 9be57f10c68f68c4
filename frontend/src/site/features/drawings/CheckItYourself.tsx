import { useEffect, useEffectEvent, useRef } from 'react';
import { Fold } from './Fold';
import { lazyPart } from './lazyPart';
import { useCheck } from './useCheck';
import type { Proof } from './verification/proof';
import type { Witness } from './witness/useWitness';
import { countOf } from './words';

const BYTES_A_LINE = 75;
/** About 300 kB. Whoever wants to check a longer list presses the button. */
const MAX_LINES_UNASKED = 4_000;

const loadFindings = () => import(/* webpackChunkName: "findings" */ './Findings');
const Findings = lazyPart(() => loadFindings().then((file) => file.Findings));
const Verdict = lazyPart(() => loadFindings().then((file) => file.Verdict));

interface Props {
  proof: Proof;
  witness: Witness;
}

/** Whether the drawing is in order, in one sentence; each check behind it. */
export function CheckItYourself({ proof, witness }: Props) {
  // What this browser kept of the log before the beacon's round is checked too.
  const { checking, start, stop } = useCheck(proof, witness.kept?.log);
  const { phase, checked } = checking;
  const startButton = useRef<HTMLButtonElement>(null);
  const running = phase === 'running';
  const size = `${countOf(proof.totalParticipants, 'line', 'lines')}, ${sizeOf(proof.totalParticipants)}`;

  const startUnasked = useEffectEvent(() => {
    if (phase === 'idle' && mayUnasked(proof)) start();
  });
  useEffect(() => {
    if (witness.isSettled) startUnasked();
  }, [witness.isSettled]);

  function onStop() {
    stop();
    startButton.current?.focus(); // the button that had it goes away
  }

  return (
    <>
      <section className="card" aria-labelledby="check">
        <h2 id="check">Is it in order?</h2>
        <div className="answer">
          {checked ? (
            <Verdict checking={checking} checked={checked} />
          ) : (
            <p className="verdict">
              Not checked yet. Your browser can recompute this drawing from the published list (
              {size}).
            </p>
          )}
        </div>
        <div className="turn">
          <button
            type="button"
            className="button quiet"
            ref={startButton}
            aria-disabled={running}
            onClick={start}
          >
            {running ? 'Checking...' : phase === 'idle' ? 'Check it yourself' : 'Check again'}
          </button>
          {running && (
            <button type="button" className="button quiet" onClick={onStop}>
              Stop
            </button>
          )}
        </div>
      </section>
      <Fold
        id="checks"
        title="The checks, one by one"
        isOpen={[...checking.problems.values()].some((problem) => problem !== undefined)}
      >
        <p>
          Your browser downloads the list ({size}) and recomputes the drawing from it. Our server
          only provides the list. Your device does the work.
        </p>
        {checked && <Findings checking={checking} checked={checked} />}
      </Fold>
    </>
  );
}

/** Not where data is saved, or where the browser could not do it. */
function mayUnasked({ totalParticipants }: Proof): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return (
    totalParticipants <= MAX_LINES_UNASKED && !connection?.saveData && typeof Worker === 'function'
  );
}

function sizeOf(lines: number): string {
  const megabytes = (lines * BYTES_A_LINE) / 1e6;
  return megabytes < 1 ? 'less than 1 MB' : `about ${Math.round(megabytes)} MB`;
}
