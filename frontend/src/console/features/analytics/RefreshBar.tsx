import { useCallback, useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { admin, useGetDashboardQuery } from '../../api/admin';
import { asApiError } from '../../../shared/api/apiError';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { useAutoRefresh } from './useAutoRefresh';

const shownFigures = [
  'Dashboard',
  'Trends',
  'Funnel',
  'FlaggedUsers',
  'Packages',
  'PublicPackages',
  'Settings',
] as const;

/** How old the figures are, and the two ways to change that. */
export function RefreshBar() {
  const dispatch = useDispatch();
  const [paused, setPaused] = useState(false);
  const { fulfilledTimeStamp, error, isFetching, data } = useGetDashboardQuery();

  // Whatever is on screen fetches again, and shows its old figures meanwhile.
  const refresh = useCallback(
    () => void dispatch(admin.util.invalidateTags([...shownFigures])),
    [dispatch],
  );
  useAutoRefresh(refresh, paused);

  const failed = error !== undefined && data !== undefined && !isFetching;
  return (
    <>
      <div className="refresh">
        <p className="quiet-text">
          {fulfilledTimeStamp && <Age since={fulfilledTimeStamp} />}
          {paused && ', paused'}
        </p>
        <div className="actions">
          <Button onClick={() => setPaused(!paused)}>
            <Icon name={paused ? 'play' : 'pause'} />
            {paused ? 'Resume' : 'Pause'}
            <span className="unseen"> the update every 30 seconds</span>
          </Button>
          <Button onClick={refresh}>
            <Icon name="refresh" />
            Refresh
          </Button>
        </div>
      </div>
      <p className="stale" role="status">
        {failed && `Refreshing failed. ${asApiError(error).sentence}`}
      </p>
    </>
  );
}

function Age({ since }: { since: number }) {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [since]);
  const seconds = Math.max(0, Math.floor((now - since) / 1_000));
  const age = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
  return <>Updated {age} ago</>;
}
