import type { ReactNode } from 'react';
import { siteName } from '../../shared/lib/siteName';

interface Props {
  children: ReactNode;
  /** What stands at the right of the header. */
  aside?: ReactNode;
  /** Header and footer are as wide as a column of cards. */
  isNarrow?: boolean;
}

/** What every page has around it: the way past the header, the brand, and the fine print. */
export function PageFrame({ children, aside, isNarrow = false }: Props) {
  const narrow = isNarrow ? ' narrow' : '';
  return (
    <>
      <header className={`top${narrow}`}>
        <a className="skip" href="#main">
          Skip to content
        </a>
        <a className="brand" href="/welcome" aria-label={`${siteName}, all raffles`}>
          <Stub />
          {siteName}
        </a>
        {aside}
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <footer className={`bottom${narrow}`}>
        <p>No purchase is necessary to enter or win. Entering is free.</p>
        <nav aria-label="Legal">
          <a href="/drawings">Drawings</a>
          <a href="/rules">Terms &amp; Conditions</a>
          <a href="/privacy">Privacy Policy</a>
          <a href="/contact">Contact Us</a>
        </nav>
      </footer>
    </>
  );
}

/** The brand's mark: a ticket with its perforation. */
function Stub() {
  return (
    <svg className="mark" viewBox="0 0 32 20" aria-hidden="true" focusable="false">
      <path
        fill="currentColor"
        d="M3 0h17a3 3 0 0 0 3 3 3 3 0 0 0 3-3h3a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-3a3 3 0 0 0-6 0H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3Z"
      />
      <path stroke="var(--page)" strokeWidth="2" strokeDasharray="2 2.4" d="M23 5v10" />
    </svg>
  );
}
