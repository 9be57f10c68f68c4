import type { ReactNode } from 'react';
import { Mark, type MarkState } from './Mark';
import type { Checked } from './startChecking';
import type { Checking } from './useCheck';
import { checksOf, type Check } from './verification/checks';
import { isDrawn, WITHOUT_BEACON, type Proof } from './verification/proof';
import { couldHaveKnown } from './stages';
import { countOf } from './words';

/** What each check shows when it passes: docs/drawing.md, section 10. */
const sentences: Record<Check, string> = {
  scheme: 'This page can check this kind of proof.',
  announcement:
    "The log's announcement has the raffle, the commitment and the beacon's round of this proof.",
  prize: 'The prize is what the site had promised when the drawing was announced.',
  seal: "The log's seal has the list and the seed of this proof, and came in time.",
  seed: "The seed's hash is the commitment that was announced.",
  lastLeaf: 'The list ends where it should: its last line matches the published totals.',
  beacon: "The random value is the beacon's, from the announced round.",
  rankLeaves: 'The root covers the lines of the winner and the alternates.',
  draw: 'The seed, the list and the random value give this winner and these alternates.',
  record: 'The verification hash covers the facts of this drawing.',
  lateRound: "The late random value is the beacon's, and would have drawn this entry.",
  list: 'The list has all participants and all entries, gives the root, and has the lines of the proof.',
  witness: "The seal is the one that your browser kept before the beacon's round.",
};

interface Props {
  checking: Checking;
  checked: Checked;
}

/** What a check has found, in one sentence. Loaded when it starts, as all of this. */
export function Verdict({ checking, checked: { proof, log } }: Props) {
  const state = verdictState(checking, proof);
  const isRunning = checking.phase === 'running';
  return (
    <p role="status" className="verdict" data-state={state}>
      {/* Another element once it is known: words that change their place would count as moving. */}
      <span key={checking.phase}>
        {isRunning ? (
          'Your browser is recomputing this drawing.'
        ) : (
          <>
            <Mark state={state} /> {verdictOf(checking, proof, checksOf(proof, log))}
          </>
        )}
      </span>
    </p>
  );
}

/** Each check, and how far it is. */
export function Findings({ checking, checked: { proof, log } }: Props) {
  const { problems, unchecked, rows } = checking;
  const checks = checksOf(proof, log);
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
              {unchecked.has(check) && <span className="note"> {unchecked.get(check)}</span>}
              {problems.get(check) && <strong className="why">{problems.get(check)}</strong>}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

function stateOf(check: Check, { problems, phase }: Checking): MarkState {
  if (problems.has(check)) return problems.get(check) === undefined ? 'ok' : 'failed';
  return phase === 'running' ? 'pending' : 'unknown';
}

const failedOf = ({ problems }: Checking) => [...problems.values()].filter((problem) => problem);

/** Passed only if all that can be wrong was looked at, and nobody could have known the winner. */
function verdictState(checking: Checking, proof: Proof): MarkState {
  if (failedOf(checking).length) return 'failed';
  const isAll = checking.phase === 'done' && !checking.unchecked.size;
  return isAll && !couldHaveKnown(proof) ? 'ok' : 'unknown';
}

function verdictOf(checking: Checking, proof: Proof, checks: Check[]): ReactNode {
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
      return failed ? (
        <Mismatch wrong={wrong} />
      ) : (
        passed(proof, checks.length, checking.unchecked.size)
      );
  }
}

function Mismatch({ wrong }: { wrong: string }) {
  return (
    <>
      {wrong}This drawing doesn't match its proof. Please tell us through the{' '}
      <a href="/contact">contact page</a>.
    </>
  );
}

function passed(proof: Proof, all: number, unchecked: number): string {
  const some = unchecked
    ? `${all - unchecked} of ${all} checks passed, and ${unchecked} could not be done`
    : `All ${all} checks passed`;
  if (proof.status === 'void') return `${some}. The drawing is void.`;
  if (!isDrawn(proof)) return `${some}. This was before the drawing had a winner.`;
  const entry = proof.winningEntryNumber.toLocaleString('en-US');
  const from =
    proof.beacon.chainHash === 'off'
      ? 'The seed and the list'
      : 'The seed, the list and the random value';
  const gives = `${some}. ${from} give entry ${entry}.`;
  return couldHaveKnown(proof) ? `${gives} ${WITHOUT_BEACON}` : gives;
}
