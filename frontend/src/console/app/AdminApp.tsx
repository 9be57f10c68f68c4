import { useEffect, useRef, useState } from 'react';
import { Provider, useDispatch, useSelector } from 'react-redux';
import { DiscardDialog } from '../form/DiscardDialog';
import { LogInAgain } from '../features/signIn/LogInAgain';
import { SignInScreen } from '../features/signIn/SignInScreen';
import { useGetDashboardQuery } from '../api/admin';
import { useGetMeQuery } from '../api/me';
import { asApiError } from '../../shared/api/apiError';
import { sessionSlice, type Session, type SessionState } from '../session/sessionSlice';
import { Me } from '../session/me';
import { Checking, ConsoleFrame, consoleTitle } from '../ui/ConsoleFrame';
import { loadable } from '../ui/loadable';
import { ErrorState } from '../ui/states';
import { ToastHost } from '../../shared/ui/toast/ToastHost';
import { RootBoundary } from './RootBoundary';
import { Logout } from './Account';
import { Shell } from './Shell';
import { StepUp } from './StepUp';
import { useInvitation } from './useInvitation';
import type { AdminStore } from './store';

export function AdminApp({ store }: { store: AdminStore }) {
  return (
    <RootBoundary>
      <Provider store={store}>
        <CurrentState />
        <DiscardDialog />
        <ToastHost />
      </Provider>
    </RootBoundary>
  );
}

function CurrentState() {
  const session = useSelector((state: SessionState) => state.session);
  const invitation = useInvitation();
  useAnnouncedEnd(session.status);
  if (invitation !== undefined) {
    return (
      <ConsoleFrame>
        <InvitationScreen />
      </ConsoleFrame>
    );
  }
  if (session.status !== 'closed') return <Opened session={session} />;
  return (
    <ConsoleFrame>
      <SignInScreen notice={session.notice} name={session.name} />
    </ConsoleFrame>
  );
}

/** The form in the place of something else is a new page to people who hear it; the first page is not. */
function useAnnouncedEnd(status: Session['status']) {
  const before = useRef(status);
  useEffect(() => {
    if (status === 'closed' && before.current !== 'closed') {
      document.querySelector('h1')?.focus();
    }
    before.current = status;
  }, [status]);
}

/**
 * With a token. Who it is decides what is shown, and whether the token still holds; what was known stays
 * while somebody logs in again, with all that was typed.
 */
function Opened({ session: { status, notice, needsSecondFactor } }: { session: Session }) {
  const { data, error, refetch } = useGetMeQuery();
  const me = useHeld(data);
  useChecked(data !== undefined, error);
  if (!me || status === 'checking') {
    return (
      <ConsoleFrame aside={error && <Logout />}>
        {error ? <Unknown error={error} onRetry={() => void refetch()} /> : <Checking />}
      </ConsoleFrame>
    );
  }
  const { required, enabled } = me.totp;
  return (
    <Me value={me}>
      <div className="session" inert={status === 'ended'}>
        {needsSecondFactor || (required && !enabled) ? (
          <ConsoleFrame aside={<Logout />}>
            <SetUpScreen />
          </ConsoleFrame>
        ) : (
          <Shell />
        )}
        <StepUp />
      </div>
      {status === 'ended' && <LogInAgain notice={notice} />}
    </Me>
  );
}

/**
 * A stored token is tried first: whatever fails, people sign in again. The figures of the first screen are
 * asked for at the same time.
 */
function useChecked(isKnown: boolean, error: unknown) {
  const dispatch = useDispatch();
  const { status } = useSelector((state: SessionState) => state.session);
  const figures = useGetDashboardQuery(undefined, { skip: status !== 'checking' });
  const areSettled = figures.isSuccess || figures.isError;
  useEffect(() => {
    if (status !== 'checking') return;
    if (isKnown && areSettled) dispatch(sessionSlice.actions.confirmed());
    else if (error) {
      const refused = asApiError(error).status === 401;
      dispatch(sessionSlice.actions.closed(refused ? 'ended' : 'unreachable'));
    }
  }, [status, isKnown, areSettled, error, dispatch]);
}

/** The newest there was: answers are forgotten with the session in which they came. */
function useHeld<Data>(data: Data | undefined): Data | undefined {
  const [held, setHeld] = useState(data);
  if (data !== undefined && data !== held) setHeld(data);
  return data ?? held;
}

function Unknown(props: { error: unknown; onRetry: () => void }) {
  return (
    <main className="checking">
      <h1 className="unseen">{consoleTitle}</h1>
      <ErrorState {...props} />
    </main>
  );
}

const InvitationScreen = loadable(() =>
  import(/* webpackChunkName: "invitation" */ './InvitationScreen').then(
    (file) => file.InvitationScreen,
  ),
);

const SetUpScreen = loadable(() =>
  import(/* webpackChunkName: "set-up" */ '../features/account/SetUpScreen').then(
    (file) => file.SetUpScreen,
  ),
);
