import { useEffect, useRef, useState, type MouseEvent } from 'react';
import { useAskOnWayBack } from '../form/useAskOnWayBack';
import { useListRafflesQuery } from '../api/admin';
import { refreshed } from '../lib/polled';
import { addressWith, useQueryState } from '../lib/useQueryState';
import { OpeningNotice } from '../features/opening/OpeningNotice';
import { CodesNotice } from '../features/verification/CodesNotice';
import { center } from '../ui/center';
import { ConsoleFrame, consoleTitle } from '../ui/ConsoleFrame';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { useAllowed } from '../session/me';
import { Allowed } from '../ui/Allowed';
import { Icon } from '../ui/Icon';
import { WaitingCount, waitingName } from '../ui/WaitingCount';
import { Account, Logout } from './Account';
import { account, sectionOf, sections, type Section } from './sections';
import { useWaiting } from './useWaiting';

/** What staff see once signed in: the bar, the menu, and one section. */
export function Shell() {
  const [query] = useQueryState();
  const section = sectionOf(query.get('section'));
  const main = useRef<HTMLElement>(null);
  const menu = useRef<HTMLElement>(null);
  const waiting = useWaiting();
  const allowed = useAllowed();
  const areNamed = useRafflesNamed();
  useAskOnWayBack();

  useEffect(() => {
    center(menu.current, '[aria-current]');
    document.title = `${section.label} | ${consoleTitle}`;
    return () => {
      document.title = consoleTitle;
    };
  }, [section]);

  // Another section is a new page to people who hear it. The first one is: its Tab begins at the skip link.
  const shown = useRef(section);
  useEffect(() => {
    if (shown.current === section) return;
    shown.current = section;
    main.current?.focus({ preventScroll: true });
    document.documentElement.scrollTop = 0;
  }, [section]);

  return (
    <ConsoleFrame start={<SkipLink />} aside={<Aside isCurrent={section === account} />}>
      <div className="columns">
        <nav ref={menu} className="menu" aria-label="Sections">
          {sections
            .filter(({ needs }) => !needs || allowed(needs))
            .map((each) => (
              <MenuItem
                key={each.key}
                section={each}
                isCurrent={each === section}
                waiting={waiting(each.waits)}
              />
            ))}
        </nav>
        <main id="main" ref={main} tabIndex={-1} aria-label={section.label}>
          <CodesNotice />
          {section.key !== 'opening' && <OpeningNotice />}
          {areNamed && (
            <ErrorBoundary key={section.key}>
              <Allowed needs={section.needs} heading="h1">
                <section.Screen />
              </Allowed>
            </ErrorBoundary>
          )}
        </main>
      </div>
    </ConsoleFrame>
  );
}

/**
 * Whether the names of raffles are known, or cannot be. With others, everything is shown again. After another login they are
 * asked for once more, while what was typed stays.
 */
function useRafflesNamed(): boolean {
  const { isLoading } = useListRafflesQuery(undefined, refreshed);
  const [areNamed, setNamed] = useState(false);
  if (!isLoading && !areNamed) setNamed(true);
  return areNamed || !isLoading;
}

/** Who is signed in, which leads to their account, and the way out. */
function Aside({ isCurrent }: { isCurrent: boolean }) {
  return (
    <div className="bar-aside">
      <Account isCurrent={isCurrent} />
      <Logout />
    </div>
  );
}

function SkipLink() {
  return (
    <a className="skip" href="#main">
      Skip to content
    </a>
  );
}

interface MenuItemProps {
  section: Section;
  isCurrent: boolean;
  waiting: number;
}

function MenuItem({ section, isCurrent, waiting }: MenuItemProps) {
  const [, setQuery] = useQueryState();
  const change = { section: section.key };
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return; // into a tab or window of its own
    event.preventDefault();
    if (!isCurrent) setQuery(change, { clear: true });
  };
  return (
    <a
      href={addressWith(change, true)}
      onClick={open}
      {...(section.isUnderRule && { 'data-under-rule': '' })}
      {...(isCurrent && { 'aria-current': 'page' as const })}
      {...waitingName(section.label, waiting)}
    >
      <Icon name={section.icon} />
      {section.label}
      <WaitingCount count={waiting} />
    </a>
  );
}
