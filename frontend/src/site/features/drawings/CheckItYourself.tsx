import { useRef } from 'react';
import type { Proof } from './api';
import { Mark, type MarkState } from './Mark';
import { useCheck, type Checking } from './useCheck';
import { checks, type Check } from './verification/checkDrawing';
import { countOf } from './words';

const BYTES_A_LINE = 75;

/** What each check says when it holds: docs/drawing.md, section 8. */
const sentences: Record<Check, string> = {
  scheme: 'The proof is of the kind that this page can check.',
  seed: 'The seed’s hash is the commitment. That it was published before the drawing is for you to remember.',
  winnerLeaf: 'The winner’s line is part of what the root sums up.',
  lastLeaf: 'So is the last line, and it ends with the last entry.',
  draw: 'Seed and root draw the entry that is said to have won.',
  winnerEntry: 'The winner’s line holds that entry.',
  record: 'The verification hash sums up all that is said about this drawing.',
  listNumbers: 'The list counts its lines and entries without a gap.',
  listTotals: 'It has all participants and all entries, and no more.',
  listRoot: 'Its lines give the root.',
  listLines: 'The winner’s line and the last one stand on it as in the proof.',
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
        Your browser fetches the list of all {countOf(proof.totalParticipants, 'line', 'lines')} (
        {sizeOf(proof.totalParticipants)}) and recomputes the drawing from it. Our server only hands
        out the list; the work is done on your device.
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
          aria-label="Lines of the list that were read"
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

function verdictOf(checking: Checking, proof: Proof): string {
  const failed = failedOf(checking).length;
  const wrong = failed ? `${countOf(failed, 'check', 'checks')} failed. ` : '';
  switch (checking.phase) {
    case 'stopped':
      return `${wrong}You stopped it: the list is not checked.`;
    case 'unread':
      return `${wrong}The list did not arrive in full, so it is not checked. See whether you are connected and check again.`;
    case 'idle':
    case 'running':
      return '';
    case 'done':
      return failed
        ? `${wrong}This drawing is not what it says it is. Please tell us through the contact page.`
        : `All ${checks.length} checks hold. Seed and list draw entry ${proof.winningEntryNumber.toLocaleString('en-US')}.`;
  }
}

function sizeOf(lines: number): string {
  const megabytes = (lines * BYTES_A_LINE) / 1e6;
  return megabytes < 1 ? 'less than 1 MB' : `about ${Math.round(megabytes)} MB`;
}
