/** docs/drawing.md, section 10: as plainly as it stands there. */
export function WhatItShows() {
  return (
    <section aria-labelledby="what-it-shows">
      <h2 id="what-it-shows">What the proof shows, and what it cannot</h2>
      <p>
        It shows that the seed was fixed before the drawing, that the winner follows from the seed
        and the frozen list alone, and that every entry on that list had the same chance. It shows
        each entrant that they were on it with all their entries.
      </p>
      <p>
        It cannot show that everybody on the list is a person: who runs the site could invent
        entrants before the list is frozen. It cannot show that who runs the site did not know the
        seed: they could choose the moment of a drawing, or add entrants, until somebody they like
        wins. Seeds from a public source that nobody knows beforehand will close that gap.
      </p>
      <p>
        The last four digits of the winner’s phone number are no part of what is checked, because no
        phone number is on the list. For them you have only our word.
      </p>
    </section>
  );
}
