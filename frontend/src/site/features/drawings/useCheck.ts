import { useEffect, useReducer } from 'react';
import { startChecking, type Checked } from './startChecking';
import type { Report } from './verification/checkDrawing';
import type { Check } from './verification/checks';
import type { Proof, LogEntry } from './verification/proof';

export interface Checking {
  phase: 'idle' | 'running' | 'stopped' | 'unread' | 'done';
  /** Of the last start. */
  checked?: Checked;
  /** What was checked, each with what is wrong by it. */
  problems: Map<Check, string | undefined>;
  /** What could not be checked, each with the reason. */
  unchecked: Map<Check, string>;
  /** Lines of the list that were read. */
  rows: number;
}

type Event = Report | { kind: 'started'; checked: Checked } | { kind: 'stopped' };

const idle: Checking = { phase: 'idle', problems: new Map(), unchecked: new Map(), rows: 0 };

function reduce(state: Checking, event: Event): Checking {
  switch (event.kind) {
    case 'started':
      return { ...idle, phase: 'running', checked: event.checked };
    case 'checked':
      if (event.unchecked) {
        const unchecked = new Map(state.unchecked).set(event.check, event.unchecked);
        return { ...state, unchecked };
      }
      return { ...state, problems: new Map(state.problems).set(event.check, event.problem) };
    case 'rows':
      return { ...state, rows: event.rows };
    case 'unread':
    case 'stopped':
    case 'done':
      return { ...state, phase: event.kind };
  }
}

/** Recomputes a drawing beside the page, which stays as quick as it was. */
export function useCheck(proof: Proof, log?: LogEntry[]) {
  const [checking, dispatch] = useReducer(reduce, idle);
  const { phase, checked } = checking;
  const isRunning = phase === 'running';

  useEffect(
    () => (isRunning && checked ? startChecking(checked, dispatch) : undefined),
    [isRunning, checked],
  );

  function start() {
    if (!isRunning) dispatch({ kind: 'started', checked: { proof, log } });
  }
  return { checking, start, stop: () => dispatch({ kind: 'stopped' }) };
}
