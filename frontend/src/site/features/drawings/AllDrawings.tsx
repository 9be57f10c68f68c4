import { PageScene } from '../../ui/PageScene';
import { PageFrame } from '../../ui/PageFrame';
import { HowItWorks } from './HowItWorks';
import { PastDrawings } from './PastDrawings';

export function AllDrawings() {
  return (
    <PageFrame>
      <div className="hello">
        <PageScene />
        <div>
          <h1 tabIndex={-1}>Drawings</h1>
          <p className="lead">
            We draw one ticket from each raffle, and you don’t have to take our word for it. Anyone
            can recompute any drawing right here in the browser.
          </p>
          <p className="lead">
            <a href="#how">How a drawing works</a>
          </p>
        </div>
      </div>
      <noscript>
        <p className="card">
          This page lists past drawings and checks them. That needs JavaScript. Programs get the
          same list at <a href="/api/drawings">/api/drawings</a>.
        </p>
      </noscript>
      <div className="drawings">
        {/* Above the list, whose length is known late: nothing moves. */}
        <HowItWorks />
        <PastDrawings />
      </div>
    </PageFrame>
  );
}
