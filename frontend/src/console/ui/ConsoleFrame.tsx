import type { ReactNode } from 'react';
import { siteName } from '../../shared/lib/siteName';

/** The console's name, in the tab and to people who hear it. */
export const consoleTitle = `${siteName} Admin`;

interface Props {
  /** What stands first in the header: the link past it. */
  start?: ReactNode;
  /** What stands at the right of the header. */
  aside?: ReactNode;
  children: ReactNode;
}

/** The bar over every state of the console; prerendered too, so that nothing moves when the code arrives. */
export function ConsoleFrame({ start, aside, children }: Props) {
  return (
    <>
      <header className="bar">
        {start}
        <p className="brand">
          <TicketMark />
          {siteName} <span className="brand-area">Admin</span>
        </p>
        {aside}
      </header>
      {children}
    </>
  );
}

function TicketMark() {
  return (
    <svg className="mark" viewBox="0 0 32 20" aria-hidden="true" focusable="false">
      <path
        fill="currentColor"
        d="M3 0h17a3 3 0 0 0 3 3 3 3 0 0 0 3-3h3a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-3a3 3 0 0 0-6 0H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3Z"
      />
      <path stroke="var(--card)" strokeWidth="2" strokeDasharray="2 2.4" d="M23 5v10" />
    </svg>
  );
}

/** Between opening the page and knowing whether the session still holds. */
export function Checking() {
  return (
    <main className="checking">
      <h1 className="unseen">{consoleTitle}</h1>
      <p role="status">Loading...</p>
      <noscript>
        <p>The admin area needs JavaScript. Turn it on and reload this page.</p>
      </noscript>
    </main>
  );
}
