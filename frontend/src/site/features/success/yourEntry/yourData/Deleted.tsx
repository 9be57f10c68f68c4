import { useEffect, useRef } from 'react';
import { titled } from '../../../../../shared/lib/siteName';
import { PageFrame } from '../../../../ui/PageFrame';
import { PageScene } from '../../../../ui/PageScene';

/** All that is left of the page once the entrant is deleted. */
export function Deleted() {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = titled('Your data is deleted');
    title.current?.focus();
    scrollTo(0, 0);
  }, []);
  return (
    <PageFrame>
      <div className="hello">
        <PageScene />
        <div>
          <h1 tabIndex={-1} ref={title}>
            Your data is deleted
          </h1>
          <p className="lead">
            You are out of the raffle and get no more texts from us. There is nothing left to do.
          </p>
          <a className="button" href="/welcome">
            Go to the home page
          </a>
        </div>
      </div>
    </PageFrame>
  );
}
