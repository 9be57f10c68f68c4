/** docs/drawing.md, section 10: as plainly as it stands there. */
export function WhatItShows() {
  return (
    <section aria-labelledby="what-it-shows">
      <h2 id="what-it-shows">What the proof shows, and what it cannot</h2>
      <p>
        If you saved the commitment, the proof shows that the seed was fixed before the drawing. It
        shows that only the seed and the frozen list decided the winner, and that every entry on the
        list had the same chance. It lets all entrants check that they were on the list with all
        their entries.
      </p>
      <p>
        It cannot show that everyone on the list is a person: whoever runs the site could invent
        entrants before the list is frozen. It cannot show that whoever runs the site did not know
        the seed. Someone who knows it could choose the moment of a drawing, or add entrants, until
        the person they want wins. A seed from a public source that nobody can know in advance would
        prevent this.
      </p>
      <p>
        The last four digits of the winner’s phone number cannot be checked, because the list has no
        phone numbers. For them you have only our word.
      </p>
    </section>
  );
}
