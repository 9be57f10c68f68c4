import { useEffect } from 'react';
import { PageScene } from '../../ui/PageScene';
import { PageFrame } from '../../ui/PageFrame';
import { allRaffles } from '../../lib/pageRaffle';
import { useListDrawingsQuery } from './api';
import { HowItWorks } from './HowItWorks';
import { NextDrawings } from './NextDrawings';
import { PAGE_SIZE, PastDrawings } from './PastDrawings';

/** The pages are links, so that each has an address and going back works. */
export function AllDrawings() {
  const { page, raffle } = shownOf(typeof location === 'undefined' ? '' : location.search);
  const offset = (page - 1) * PAGE_SIZE;
  const query = useListDrawingsQuery({
    limit: PAGE_SIZE,
    offset,
    ...(raffle && { landingPage: raffle.key }),
  });
  const { data, error } = query;
  const isBusy = !data && !error;
  useEffect(() => {
    // What stood at the hash was not shown yet, or has moved down.
    if (!isBusy && location.hash) document.querySelector(location.hash)?.scrollIntoView();
  }, [isBusy]);
  return (
    <PageFrame>
      <div className="hello brief">
        <PageScene />
        <div>
          <h1 tabIndex={-1}>Drawings</h1>
          <p className="lead">
            We draw one ticket from each raffle, and you don't have to take our word for it. Anyone
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
      <div className="drawings all" aria-busy={isBusy}>
        <PastDrawings query={query} page={page} raffle={raffle} />
        {page === 1 && data && <NextDrawings drawings={data.drawings} raffle={raffle} />}
        <HowItWorks />
      </div>
    </PageFrame>
  );
}

/** The page, and the raffle if only the drawings of one are listed. */
function shownOf(search: string) {
  const asked = new URLSearchParams(search);
  const page = Number(asked.get('page'));
  const key = asked.get('raffle');
  return {
    page: Number.isSafeInteger(page) && page > 1 && page < 1e9 ? page : 1,
    raffle: key === null ? undefined : allRaffles().find((one) => one.key === key),
  };
}
