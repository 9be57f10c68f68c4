import { useEffect } from 'react';
import { Provider, useDispatch, useSelector } from 'react-redux';
import { DiscardDialog } from '../form/DiscardDialog';
import { SignInScreen } from '../features/signIn/SignInScreen';
import { useGetDashboardQuery } from '../api/admin';
import { asApiError } from '../../shared/api/apiError';
import { sessionSlice, type SessionState } from '../session/sessionSlice';
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
  switch (status) {
    case 'open':
      return <Shell />;
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
