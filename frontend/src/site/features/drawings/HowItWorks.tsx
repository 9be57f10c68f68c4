/** docs/drawing.md in a few words. */
export function HowItWorks() {
  return (
    <section className="steps" id="how" aria-labelledby="how-title">
      <h2 id="how-title">How a drawing works</h2>
      <ol>
        <li>
          <h3>Before</h3>
          <p>
            We publish the hash of a random seed. Nobody can then exchange the seed: another one has
            another hash.
          </p>
        </li>
        <li>
          <h3>The drawing</h3>
          <p>
            The list of everybody who is in is frozen, with all their entries numbered from 1, and
            one hash over the whole list is published. Seed and list together say which entry wins.
          </p>
        </li>
        <li>
          <h3>After</h3>
          <p>
            The seed is revealed, and the list too, without names, phone numbers or ids. Open a past
            drawing to recompute it.
          </p>
        </li>
      </ol>
      <p className="lead">
        The <a href="/terms#drawing">official rules</a> say who can win and when we draw.
      </p>
    </section>
  );
}
