import { useEffect, useReducer, useRef } from 'react';
import { startChecking } from './startChecking';
import type { Report } from './verification/checkDrawing';
import type { Check } from './verification/checks';
import type { AnyProof, LogEntry } from './verification/proof';

export interface Checking {
  phase: 'idle' | 'running' | 'stopped' | 'unread' | 'done';
  /** What was checked, each with what is wrong by it. */
  problems: Map<Check, string | undefined>;
  /** What could not be checked, each with the reason. */
  unchecked: Map<Check, string>;
  /** Lines of the list that were read. */
  rows: number;
}

type Event = Report | { kind: 'started' } | { kind: 'stopped' };

const idle: Checking = { phase: 'idle', problems: new Map(), unchecked: new Map(), rows: 0 };

function reduce(state: Checking, event: Event): Checking {
  switch (event.kind) {
    case 'started':
      return { ...idle, phase: 'running' };
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
export function useCheck(proof: AnyProof, log?: LogEntry[]) {
  const [checking, dispatch] = useReducer(reduce, idle);
  const end = useRef<() => void>(undefined);

  useEffect(() => () => end.current?.(), []);

  function start() {
    if (checking.phase === 'running') return;
    end.current?.();
    dispatch({ kind: 'started' });
    end.current = startChecking(proof, log, dispatch);
  }

  function stop() {
    end.current?.();
    dispatch({ kind: 'stopped' });
  }

  return { checking, start, stop };
}
