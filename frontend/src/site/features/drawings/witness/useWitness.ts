import { useEffect, useState, type ReactNode } from 'react';
import { whenIdle } from '../../../../shared/lib/whenIdle';
import { roundAt } from '../stages';
import type { LogEntry, OwnLeaf, Proof } from '../verification/proof';
import { alertOf } from './alertOf';

export interface Witness {
  /** The seal of the drawing, if this browser kept it before the random value was due. */
  kept?: { log: LogEntry[]; savedAt: string } | undefined;
  /** What the server published otherwise before. */
  alert?: ReactNode;
  /** Whether this browser has looked, whatever it found. */
  isSettled?: boolean;
}

/** Keeps a drawing and compares it with what was kept, without making the page wait. */
export function useWitness(proof: Proof | undefined, own: OwnLeaf | undefined): Witness {
  const [witness, setWitness] = useState<Witness>({});
  useEffect(() => {
    if (!proof) return undefined;
    let isGone = false;
    const cancel = whenIdle(() => {
      void look(proof, own).then(
        (seen) => isGone || setWitness({ ...seen, isSettled: true }),
        // Its file did not arrive, or the proof cannot be read: the check says so.
        () => isGone || setWitness({ isSettled: true }),
      );
    });
    return () => {
      isGone = true;
      cancel();
    };
  }, [proof, own]);
  return witness;
}

async function look(proof: Proof, own: OwnLeaf | undefined): Promise<Witness> {
  const { compareDrawing, compareLog, keptSeal } = await import(
    /* webpackChunkName: "witness" */ './compare'
  );
  const different = compareDrawing(proof, own);
  const round = roundAt(proof);
  const kept = round && keptSeal(proof, round);
  return { kept, alert: await alertOf(different ?? (await compareLog())) };
}
