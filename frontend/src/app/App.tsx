import { useEffect, useState } from 'react';
import { Provider } from 'react-redux';
import type { RegisteredUser } from '../shared/api/generated';
import { ToastHost } from '../shared/ui/toast/ToastHost';
import { SignUpPage } from '../features/entering/SignUpPage';
import { loadScreen, type Screen } from './screen';
import { successPath, themeOf, titleOf } from './routes';
import type { Store } from './store';

interface Props {
  store: Store;
  screen: Screen;
}

/** The page that was asked for, and the one change of screen there is: from signing up to success. */
export function App({ store, screen: first }: Props) {
  const [screen, setScreen] = useState(first);
  const [alreadyIn, setAlreadyIn] = useState(false);

  const show = (next: Screen) => {
    document.documentElement.dataset.theme = themeOf(next.route);
    document.title = titleOf(next.route);
    setScreen(next);
  };

  // A change of screen is a new page to people who hear it: its title has to get the focus.
  useEffect(() => {
    if (screen !== first) document.querySelector<HTMLElement>('h1')?.focus();
  }, [screen, first]);

  useEffect(() => {
    const onPop = () => {
      loadScreen(location.pathname).then(
        (next) => (next ? show(next) : location.reload()),
        () => location.reload(),
      );
    };
    addEventListener('popstate', onPop);
    return () => removeEventListener('popstate', onPop);
  }, []);

  async function onEntered(user: RegisteredUser, unthemed: boolean) {
    const variantKey = user.isNew && unthemed ? 'generic' : user.landingPage;
    const path = successPath(variantKey, user.id);
    const next = await loadScreen(path).catch(() => undefined);
    if (!next) return location.assign(path); // the screen's file did not arrive: let the server bring it
    history.pushState(null, '', path);
    setAlreadyIn(!user.isNew);
    show(next);
    scrollTo(0, 0);
  }

  return (
    <Provider store={store}>
      <CurrentScreen screen={screen} alreadyIn={alreadyIn} onEntered={onEntered} />
      <ToastHost />
    </Provider>
  );
}

interface CurrentScreenProps {
  screen: Screen;
  alreadyIn: boolean;
  onEntered(user: RegisteredUser, unthemed: boolean): Promise<void>;
}

function CurrentScreen({ screen, alreadyIn, onEntered }: CurrentScreenProps) {
  if (screen.page === 'success') {
    const { SuccessPage, route, params } = screen;
    const userId = params.userId ?? '';
    return (
      <SuccessPage
        key={userId}
        variantKey={route.variantKey}
        userId={userId}
        alreadyIn={alreadyIn}
      />
    );
  }
  const { theme, referred, unthemed } = screen.route;
  return (
    <SignUpPage
      key={screen.route.path}
      theme={theme}
      unthemed={unthemed}
      referred={referred}
      referralCode={screen.params.code}
      onEntered={(user) => onEntered(user, unthemed)}
    />
  );
}
