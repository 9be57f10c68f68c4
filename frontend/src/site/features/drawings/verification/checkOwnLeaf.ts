import { blindedIdOf, isUnder } from './merkle';
import type { OwnLeaf, Proof } from './proof';

/** What is wrong with somebody's own line, in a sentence, or nothing: docs/drawing.md, section 1.7. */
export function checkOwnLeaf(own: OwnLeaf, proof: Proof): string | undefined {
  try {
    if (blindedIdOf(own.salt, own.entrantId) !== own.leaf.blindedId) {
      return 'The blinded id of this line is not made from your id and salt.';
    }
    return isUnder(proof.root, proof.totalParticipants, own)
      ? undefined
      : 'This line and its path do not lead to the root of the drawing.';
  } catch (unreadable) {
    return unreadable instanceof Error ? unreadable.message : String(unreadable);
  }
}
