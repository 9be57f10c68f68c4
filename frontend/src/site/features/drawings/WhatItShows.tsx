import { couldHaveKnown } from './stages';
import type { Proof } from './verification/proof';

/** In the words of docs/drawing.md, section 13. */
export function WhatItShows({ proof }: { proof: Proof }) {
  return (
    <>
      {couldHaveKnown(proof) ? <OfTheOperator /> : <OfTheBeacon />}
      <p>
        It cannot show that everyone on the list is a different person: whoever runs the site could
        add entrants before the list is sealed.
      </p>
      <p>
        The last four digits of the phone number cannot be checked, because the list has no phone
        numbers. Here you have to trust us.
      </p>
    </>
  );
}

function OfTheOperator() {
  return (
    <p>
      The proof shows that the sealed list gives this winner, and that nobody changed it afterwards.
      It cannot show that we did not choose the winner, because no random value that this page knows
      decided. Here you have to trust us.
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
