/** docs/drawing.md in a few words. */
export function HowItWorks() {
  return (
    <section className="steps" id="how" aria-labelledby="how-title">
      <h2 id="how-title">How a drawing works</h2>
      <ol>
        <li>
          <h3>Announce</h3>
          <p>
            We publish a fingerprint (a hash) of a random seed, so that nobody can change it later
            unnoticed, and name a future round of a public randomness beacon.
          </p>
        </li>
        <li>
          <h3>Seal</h3>
          <p>
            Before that round, we freeze the list of everyone who is in, number all their entries
            from 1, and publish the list and the seed. The list has no names, phone numbers or ids.
          </p>
        </li>
        <li>
          <h3>Draw</h3>
          <p>
            When the round comes, the seed, the list and the beacon's random value decide which
            entry wins. Nobody knew that value before. Open a past drawing to recompute it.
          </p>
        </li>
      </ol>
      <p className="lead">
        Each step is an entry of our <a href="/api/drawings/log">public log</a>. Save an
        announcement, then check later that the revealed seed has its hash. The beacon is a network
        of independent organizations called drand. A drawing without it says so on its page. The{' '}
        <a href="/rules#drawing">official rules</a> say who can win and when we draw. We keep{' '}
        <a href="/rules">each version of them</a>, and the announcement of a drawing has the hash of
        the one that counts.
      </p>
    </section>
  );
}
