import { OFFLINE, STALE } from '../../lib/missingFile';

/** Stands before every page that runs in the browser, outside of React, and shows when a file did not arrive. */
export const MissingFile = () => (
  <div className="missing" role="alert">
    <p className="missing-stale">
      {STALE} <button type="button">Reload the page</button>
    </p>
    <p className="missing-offline">
      {OFFLINE} <button type="button">Try again</button>
    </p>
  </div>
);
