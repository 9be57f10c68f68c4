/** In the place of what the pages of claims do. */
export function NeedsScript() {
  return (
    <noscript>
      <p className="card">
        Claiming a prize needs JavaScript, and it's turned off in this browser. Turn it on and
        reload this page, or write to us through the <a href="/contact">contact page</a>.
      </p>
    </noscript>
  );
}
