import { useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { admin, useGetDashboardQuery } from '../../api/admin';
import { asApiError } from '../../../shared/api/apiError';
import { Button } from '../../ui/Button';
import { useRefreshing } from '../../lib/polled';
import { Icon } from '../../ui/Icon';

const shownFigures = [
  'Dashboard',
  'Trends',
  'Funnel',
  'FlaggedUsers',
  'Appeals',
  'SharedNetworks',
  'Packages',
  'PublicPackages',
  'Settings',
] as const;

interface Props {
  isPaused: boolean;
  onPause: (pause: boolean) => void;
}

/** How old the figures are, and the two ways to change that. */
export function RefreshBar({ isPaused, onPause }: Props) {
  const dispatch = useDispatch();
  const { fulfilledTimeStamp, error, isFetching, data } = useGetDashboardQuery(
    undefined,
    useRefreshing(),
  );

  // Whatever is on screen fetches again, and shows its old figures meanwhile.
  const refresh = () => dispatch(admin.util.invalidateTags([...shownFigures]));

  const failed = error !== undefined && data !== undefined && !isFetching;
  return (
    <>
      <div className="refresh">
        <p className="quiet-text">
          {fulfilledTimeStamp && <Age since={fulfilledTimeStamp} />}
          {isPaused && ', paused'}
        </p>
        <div className="actions">
          <Button onClick={() => onPause(!isPaused)}>
            <Icon name={isPaused ? 'play' : 'pause'} />
            {isPaused ? 'Resume' : 'Pause'}
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
