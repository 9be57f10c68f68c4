import { blindedIdOf, blindedIdOf2, isUnder, tagOf } from './merkle';
import { isVersion2, type AnyProof, type OwnLeaf } from './proof';

/** What is wrong with somebody's own line, in a sentence, or nothing: docs/drawing.md, sections 1.7 and 2.4. */
export function checkOwnLeaf(own: OwnLeaf, proof: AnyProof): string | undefined {
  try {
    if (madeFor(own, proof) !== own.leaf.blindedId) {
      return isVersion2(proof)
        ? 'The blinded id of this line is not made from your id, phone number and salts.'
        : 'The blinded id of this line is not made from your id and salt.';
    }
    return isUnder(proof.root, proof.totalParticipants, own)
      ? undefined
      : 'This line and its path do not lead to the root of the drawing.';
  } catch (unreadable) {
    return unreadable instanceof Error ? unreadable.message : String(unreadable);
  }
}

function madeFor(own: OwnLeaf, proof: AnyProof): string {
  const { entrantId, salt, personSalt, phoneNumber } = own;
  if (!isVersion2(proof)) return blindedIdOf(salt, entrantId);
  return blindedIdOf2(salt, entrantId, tagOf(personSalt ?? '', phoneNumber ?? ''));
}
