/** docs/drawing.md, section 1.10: as plainly as it stands there. */
export function WhatItShows() {
  return (
    <section aria-labelledby="what-it-shows">
      <h2 id="what-it-shows">What the proof shows, and what it cannot</h2>
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
        The last four digits of the winner’s phone number cannot be checked, because the list has no
        phone numbers. For them you have only our word.
      </p>
    </section>
  );
}
