import { PageScene } from '../../ui/PageScene';
import { PageFrame } from '../../ui/PageFrame';
import { Commitments } from './Commitments';
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
            One ticket is drawn from each raffle, and you do not have to take our word for it.
            Anybody can recompute any drawing here, in the browser.
          </p>
          <p className="lead">
            <a href="#how">How a drawing works</a>
          </p>
        </div>
      </div>
      <noscript>
        <p className="card">
          This page lists what has been drawn, with what it takes to check each drawing. Showing it
          needs JavaScript; the same list is at <a href="/api/drawings">/api/drawings</a>, for
          programs.
        </p>
      </noscript>
      <div className="drawings">
        <Commitments />
        <PastDrawings />
        <HowItWorks />
      </div>
    </PageFrame>
  );
}
