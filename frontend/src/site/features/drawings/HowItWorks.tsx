/** docs/drawing.md in a few words. */
export function HowItWorks() {
  return (
    <section className="steps" id="how" aria-labelledby="how-title">
      <h2 id="how-title">How a drawing works</h2>
      <ol>
        <li>
          <h3>Before</h3>
          <p>
            We publish the hash of a random seed. Swapping the seed after that would show: any other
            has a different hash.
          </p>
        </li>
        <li>
          <h3>The drawing</h3>
          <p>
            We freeze the list of everyone who is in, number all their entries from 1, and publish
            one hash of the whole list. Together, the seed and the list decide which entry wins.
          </p>
        </li>
        <li>
          <h3>After</h3>
          <p>
            We reveal the seed and publish the list, without names, phone numbers or ids. Open a
            past drawing to recompute it.
          </p>
        </li>
      </ol>
      <p className="lead">
        The <a href="/terms#drawing">official rules</a> say who can win and when we draw.
      </p>
    </section>
  );
}
