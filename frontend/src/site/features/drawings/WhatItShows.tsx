import { couldHaveKnown } from './stages';
import { isVersion2, type AnyProof, type Proof2 } from './verification/proof';

/** In the words of docs/drawing.md: section 1.10 for version 1. */
export function WhatItShows({ proof }: { proof: AnyProof }) {
  return (
    <section aria-labelledby="what-it-shows">
      <h2 id="what-it-shows">What the proof shows, and what it cannot</h2>
      {isVersion2(proof) ? <Version2 proof={proof} /> : <Version1 />}
    </section>
  );
}

function Version1() {
  return (
    <>
      <p>
        The proof shows that the seed and the frozen list give this winner, and that nobody changed
        the list, the seed or the winner after the drawing. If you saved the commitment, it shows
        that the seed was fixed before. It lets all entrants check that they were on the list with
        all their entries.
      </p>
      <p>
        It cannot show that we did not choose the winner. The ids on the list are hidden with a
        secret key that is not part of the commitment, and that key changes the result. Whoever has
        our database and our secret key can learn the seed before the drawing, and try keys, or
        choose the moment of the drawing, until the person they want wins. The proof would look the
        same. For this you have only our word.
      </p>
      <p>
        It cannot show that everyone on the list is a different person: whoever runs the site could
        add entrants before the list is frozen.
      </p>
      <p>
        The last four digits of the phone number cannot be checked, because the list has no phone
        numbers. For them you have only our word.
      </p>
    </>
  );
}

function Version2({ proof }: { proof: Proof2 }) {
  return (
    <>
      {couldHaveKnown(proof) ? <OfTheOperator /> : <OfTheBeacon />}
      <p>
        It cannot show that everyone on the list is a different person: whoever runs the site could
        add entrants before the list is sealed.
      </p>
      <p>
        The last four digits of the phone number cannot be checked, because the list has no phone
        numbers. For them you have only our word.
      </p>
    </>
  );
}

function OfTheOperator() {
  return (
    <p>
      The proof shows that the sealed list gives this winner, and that nobody changed it afterwards.
      It cannot show that we did not choose the winner, because no random value that this page knows
      decided. For this you have only our word.
    </p>
  );
}

function OfTheBeacon() {
  return (
    <>
      <p>
        The proof shows that the sealed list, the seed and the random value of the announced round
        give this winner, with the same chance for every entry. Somebody who saw the seal before the
        random value was there knows that nobody, the operator included, could choose or predict the
        winner. It lets all entrants check that they were on the list with all their entries.
      </p>
      <p>
        By itself, the proof cannot show when the seal was published. That takes a copy of the log
        from before the random value, which your browser keeps when you look at a sealed drawing.
      </p>
    </>
  );
}
