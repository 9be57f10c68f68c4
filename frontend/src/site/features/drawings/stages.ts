/** How far a drawing is. */
import { useEffect, useState } from 'react';
import { useRefresh } from '../../lib/useRefresh';
import { dueAt, quicknet } from './verification/chain';
import { isDrawn, type Proof } from './verification/proof';

const REFRESH_WAITING_MS = 3_000;
const REFRESH_MS = 60_000;

/** When the random value of the drawing is due, if this page knows the beacon. */
export function roundAt({ beacon }: Proof): Date | undefined {
  const knows = beacon.chainHash === quicknet.chainHash;
  return knows ? new Date(dueAt(beacon.round)) : undefined;
}

/** The moment that names the drawing. */
export function momentOf(proof: Proof): string {
  if (isDrawn(proof)) return proof.drawnAt;
  return (roundAt(proof) ?? new Date(proof.seal.at)).toISOString();
}

/** Somebody who controls an unknown or missing beacon could have chosen when to seal. */
export const couldHaveKnown = ({ beacon }: Proof): boolean =>
  beacon.chainHash !== quicknet.chainHash;

/** Asks again until the winner is drawn, often once the random value is due. */
export function useUntilDrawn(proof: Proof | undefined, refetch: () => unknown) {
  const waits = proof?.status === 'sealed';
  const due = useIsPast(waits ? roundAt(proof)?.getTime() : undefined);
  useRefresh(refetch, !waits ? undefined : due ? REFRESH_WAITING_MS : REFRESH_MS);
}

/** Whether the moment has come; without one it has. */
export function useIsPast(at: number | undefined): boolean {
  return useNow(at, REFRESH_MS) >= (at ?? 0);
}

/** The time until the moment has come, every so many milliseconds and at that moment. */
export function useNow(until: number | undefined, everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  const isOver = until === undefined || until <= now;
  useEffect(() => {
    if (isOver) return undefined;
    const left = until - Date.now();
    const wait = Math.max(0, Math.min(left, left % everyMs || everyMs));
    const timer = setTimeout(() => setNow(Date.now()), wait);
    return () => clearTimeout(timer);
  }, [isOver, until, everyMs, now]);
  return now;
}
