import { useRef, type ReactNode } from 'react';
import type { Proof } from './api';
import { Mark, type MarkState } from './Mark';
import { useCheck, type Checking } from './useCheck';
import { checks, type Check } from './verification/checkDrawing';
import { countOf } from './words';

const BYTES_A_LINE = 75;

/** What each check shows when it passes: docs/drawing.md, section 1.8. */
const sentences: Record<Check, string> = {
  scheme: 'This page can check this kind of proof.',
  seed: 'The seed’s hash is the commitment. Only a copy that you saved shows that it was published before the drawing.',
  winnerLeaf: 'The root covers the winner’s line.',
  lastLeaf: 'The root covers the last line, which ends with the last entry.',
  draw: 'The seed and the root give the winning entry.',
  winnerEntry: 'The winner’s line has that entry.',
  record: 'The verification hash covers the facts of this drawing.',
  listNumbers: 'The lines and entries of the list are numbered without a gap.',
  listTotals: 'The list has all participants and all entries, and no more.',
  listRoot: 'The lines of the list give the root.',
  listLines: 'The winner’s line and the last line are the same on the list as in the proof.',
};

export function CheckItYourself({ proof }: { proof: Proof }) {
  const { checking, start, stop } = useCheck(proof);
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
      {checking.phase !== 'idle' && <Findings checking={checking} proof={proof} />}
    </section>
  );
}

function Findings({ checking, proof }: { checking: Checking; proof: Proof }) {
  const { problems, rows } = checking;
  return (
    <>
      <p className="progress">
        <progress
          aria-label="Lines of the list read"
          value={Math.min(rows, proof.totalParticipants)}
          max={proof.totalParticipants}
        />
        <span className="note">
          {rows.toLocaleString('en-US')} of {countOf(proof.totalParticipants, 'line', 'lines')} read
        </span>
      </p>
      <ol className="checks">
        {checks.map((check) => (
          <li key={check}>
            <Mark state={stateOf(check, checking)} />
            <span>
              {sentences[check]}
              {problems.get(check) && <strong className="why">{problems.get(check)}</strong>}
            </span>
          </li>
        ))}
      </ol>
      <p role="status" className="verdict" data-state={verdictState(checking)}>
        {verdictOf(checking, proof)}
      </p>
    </>
  );
}

function stateOf(check: Check, { problems, phase }: Checking): MarkState {
  if (problems.has(check)) return problems.get(check) === undefined ? 'ok' : 'failed';
  return phase === 'running' ? 'pending' : 'unknown';
}

const failedOf = ({ problems }: Checking) => checks.filter((check) => problems.get(check));

function verdictState(checking: Checking): MarkState {
  if (failedOf(checking).length) return 'failed';
  return checking.phase === 'done' ? 'ok' : 'unknown';
}

function verdictOf(checking: Checking, proof: Proof): ReactNode {
  const failed = failedOf(checking).length;
  const wrong = failed ? `${countOf(failed, 'check', 'checks')} failed. ` : '';
  switch (checking.phase) {
    case 'stopped':
      return `${wrong}You stopped the check, so the list is not checked.`;
    case 'unread':
      return `${wrong}The list did not arrive in full, so it is not checked. Check your connection and try again.`;
    case 'idle':
    case 'running':
      return '';
    case 'done':
      return failed ? <Mismatch wrong={wrong} /> : passed(proof);
  }
}

function Mismatch({ wrong }: { wrong: string }) {
  return (
    <>
      {wrong}This drawing doesn’t match its proof. Please tell us through the{' '}
      <a href="/contact">contact page</a>.
    </>
  );
}

const passed = ({ winningEntryNumber }: Proof) =>
  `All ${checks.length} checks passed. The seed and the list give entry ${winningEntryNumber.toLocaleString('en-US')}.`;

function sizeOf(lines: number): string {
  const megabytes = (lines * BYTES_A_LINE) / 1e6;
  return megabytes < 1 ? 'less than 1 MB' : `about ${Math.round(megabytes)} MB`;
}
