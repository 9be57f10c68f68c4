import { useEffect, useRef } from 'react';
import { Provider, useDispatch, useSelector } from 'react-redux';
import { DiscardDialog } from '../form/DiscardDialog';
import { LogInAgain } from '../features/signIn/LogInAgain';
import { SignInScreen } from '../features/signIn/SignInScreen';
import { useGetDashboardQuery } from '../api/admin';
import { asApiError } from '../../shared/api/apiError';
import { sessionSlice, type Session, type SessionState } from '../session/sessionSlice';
import { Checking, ConsoleFrame } from '../ui/ConsoleFrame';
import { ToastHost } from '../../shared/ui/toast/ToastHost';
import { RootBoundary } from './RootBoundary';
import { Shell } from './Shell';
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
  const { status, notice } = useSelector((state: SessionState) => state.session);
  useAnnouncedEnd(status);
  switch (status) {
    case 'open':
    case 'ended':
      return (
        <>
          <div className="session" inert={status === 'ended'}>
            <Shell />
          </div>
          {status === 'ended' && <LogInAgain notice={notice} />}
        </>
      );
    case 'checking':
      return <CheckedSession />;
    case 'closed':
      return (
        <ConsoleFrame>
          <SignInScreen notice={notice} />
        </ConsoleFrame>
      );
  }
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

/** A stored token is tried on the dashboard's call: whatever fails, people sign in again. */
function CheckedSession() {
  const dispatch = useDispatch();
  const { isSuccess, error } = useGetDashboardQuery();
  useEffect(() => {
    if (isSuccess) dispatch(sessionSlice.actions.confirmed());
    if (error) {
      const refused = asApiError(error).status === 401;
      dispatch(sessionSlice.actions.closed(refused ? 'ended' : 'unreachable'));
    }
  }, [isSuccess, error, dispatch]);
  return (
    <ConsoleFrame>
      <Checking />
    </ConsoleFrame>
  );
}
