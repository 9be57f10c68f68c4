import { blindedIdOf, isUnder, tagOf } from './merkle';
import type { OwnLeaf, Proof } from './proof';

/** What is wrong with somebody's own line, in a sentence, or nothing: docs/drawing.md, section 4. */
export function checkOwnLeaf(own: OwnLeaf, proof: Proof): string | undefined {
  try {
    const tag = tagOf(own.personSalt ?? '', own.phoneNumber);
    if (blindedIdOf(own.salt, own.entrantId, tag) !== own.leaf.blindedId) {
      return 'The blinded id of this line is not made from your id, phone number and salts.';
    }
    return isUnder(proof.root, proof.totalParticipants, own)
      ? undefined
      : 'This line and its path do not lead to the root of the drawing.';
  } catch (unreadable) {
    return unreadable instanceof Error ? unreadable.message : String(unreadable);
  }
}
