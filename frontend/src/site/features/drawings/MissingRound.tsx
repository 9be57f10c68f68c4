import { lazyPart } from './lazyPart';
import { useIsPast } from './stages';
import { isDrawn, type Proof } from './verification/proof';

/** A random value seldom comes at the second, and nobody has to do anything about that. */
const PATIENCE_MS = 5 * 60_000;

const BringRound = lazyPart(() =>
  import(/* webpackChunkName: "bring-round" */ './BringRound').then((file) => file.BringRound),
);

interface Props {
  proof: Proof;
  onDrawn: () => void;
}

/** For a drawing whose random value is late, or never came: anybody may bring it. */
export function MissingRound({ proof, onDrawn }: Props) {
  const since = isDrawn(proof) ? undefined : proof.beacon.waitingSince;
  const isLate = useIsPast(since ? Date.parse(since) + PATIENCE_MS : undefined);
  if (!mayCome(proof) || !isLate) return null;
  return <BringRound proof={proof} onDrawn={onDrawn} />;
}

/** Whether the drawing waits for a random value, or would take one that comes after all. */
function mayCome(proof: Proof): boolean {
  if (isDrawn(proof) || proof.beacon.chainHash === 'off') return false;
  return proof.status === 'void' ? !proof.lateRound : proof.beacon.waitingSince != null;
}
