import { useEffect, useRef, useState } from 'react';
import type { EnteredUserView as RegisteredUser } from '../api/generated';
import { isAtCodeStep, showPath } from '../lib/codeHistory';
import type { Figures } from '../lib/early';
import { track } from '../lib/tracked';
import { SceneContext } from '../ui/PageScene';
import { ToastHost } from '../../shared/ui/toast/ToastHost';
import type { Arrival } from '../lib/early';
import { AGAIN, MOVED, successPath } from './routes';
import { loadScreen, paletteOf, titleOf, wordsOf, type Screen } from './screen';

interface Props {
  screen: Screen;
  /** The scene as SVG: see PageScene. */
  scene: string;
  /** Whether this number was in before: said on the first screen only. */
  arrival?: Arrival | undefined;
  /** What stands in the first screen already, if it is one of success. */
  figures?: Figures | undefined;
  /** Goes to another page by way of the server. */
  leave?: (path: string) => void;
}

/** The page that was asked for, and the one change of screen there is: from signing up to success. */
export function App(props: Props) {
  const { screen: first, scene, arrival, figures, leave = leavePage } = props;
  const [screen, setScreen] = useState(first);
  const [changes, setChanges] = useState(0);
  const shownPath = useRef('');

  const show = (next: Screen) => {
    shownPath.current = location.pathname;
    document.documentElement.dataset.palette = paletteOf(next);
    document.title = titleOf(next.route, 'copy' in next ? next.copy : undefined);
    setScreen(next);
    setChanges((count) => count + 1);
    track({ kind: 'page_view' });
  };

  // Submits and presses are the application's from here on. A sign-up form has released its own already, to replay it.
  useEffect(() => window.early?.release(), []);

  // A change of screen is a new page to people who hear it: its title has to get the focus.
  useEffect(() => {
    if (changes > 0) document.querySelector<HTMLElement>('h1')?.focus();
  }, [changes]);

  useEffect(() => {
    shownPath.current = location.pathname;
    const onPop = () => {
      const path = location.pathname;
      if (path === shownPath.current) return; // a link within the page: only the hash changed
      void arriving(path).then((next) => {
        if (path !== location.pathname) return; // the visitor has gone on meanwhile
        if (next) show(next);
        else location.reload();
      });
    };
    addEventListener('popstate', onPop);
    return () => removeEventListener('popstate', onPop);
  }, []);

  // Loaded while the phone number is typed. If it does not arrive, onEntered tries again.
  const prepare = () => void arriving(successPath(wordsOf(screen), '1'));

  async function onEntered(user: RegisteredUser, unthemed: boolean) {
    if (!user.isNew) {
      const arrival = user.movedFrom ? MOVED : AGAIN;
      return leave(successPath(user.landingPage, user.id) + arrival);
    }
    const path = successPath(unthemed ? 'generic' : user.landingPage, user.id);
    const next = await arriving(path);
    if (!next) return leave(path); // the screen's file did not arrive: let the server bring it
    showPath(path);
    show(next);
    scrollTo(0, 0);
  }

  return (
    <>
      <SceneContext value={scene}>
        {/* Each change mounts a new screen, even if React never rendered the one in between. */}
        <CurrentScreen
          key={changes}
          screen={screen}
          arrival={changes === 0 ? arrival : undefined}
          figures={changes === 0 ? figures : undefined}
          prepare={prepare}
          onEntered={onEntered}
        />
      </SceneContext>
      <ToastHost />
    </>
  );
}

/** The screen of a path; `undefined` if there is none, or if its file does not arrive. */
const arriving = (path: string) => loadScreen(path).catch(() => undefined);

const leavePage = (path: string) =>
  isAtCodeStep() ? location.replace(path) : location.assign(path);

interface CurrentScreenProps {
  screen: Screen;
  arrival: Arrival | undefined;
  figures: Figures | undefined;
  prepare: () => void;
  onEntered: (user: RegisteredUser, unthemed: boolean) => Promise<void>;
}

function CurrentScreen(props: CurrentScreenProps) {
  const { screen, arrival, figures, prepare, onEntered } = props;
  const { params } = screen;
  if ('SuccessScreen' in screen) {
    const { SuccessScreen, copy } = screen;
    return (
      <SuccessScreen copy={copy} userId={params.userId ?? ''} arrival={arrival} figures={figures} />
    );
  }
  if ('YourEntryScreen' in screen) {
    const { YourEntryScreen, copy } = screen;
    return <YourEntryScreen copy={copy} userId={params.userId ?? ''} />;
  }
  if ('DrawingsScreen' in screen) {
    const { DrawingsScreen } = screen;
    return <DrawingsScreen drawingId={params.drawingId} />;
  }
  if ('ClaimPage' in screen) {
    const { ClaimPage } = screen;
    return <ClaimPage token={params.token} />;
  }
  if ('RulesPage' in screen) {
    const { RulesPage } = screen;
    return <RulesPage version={params.version} />;
  }
  const { SignUpPage, copy } = screen;
  return (
    <SignUpPage
      raffle={copy.raffle}
      referralCode={params.code}
      prepare={prepare}
      onEntered={(user) => onEntered(user, copy.generic !== undefined)}
    />
  );
}
