import { useKeptFocus } from '../../lib/useKeptFocus';
import { useQueryState } from '../../lib/useQueryState';
import { useAllowed } from '../../session/me';
import { Allowed } from '../../ui/Allowed';
import { AllFlaggedUsers } from './AllFlaggedUsers';
import { Appeals } from './Appeals';
import { FlaggedUsers } from './FlaggedUsers';
import { SharedNetworks } from './SharedNetworks';
import { SuspiciousActivity } from './SuspiciousActivity';

/** Appeals, suspicious addresses, the last flags and shared networks, or everybody who is flagged: which one stands in the address. */
export function SecurityTab() {
  const [query] = useQueryState();
  const part = useKeptFocus();
  const allowed = useAllowed();
  return (
    <div className="grid" {...part}>
      <p className="notice" data-tone="info">
        Flagged users are excluded from all raffle drawings. They can still use the site but cannot
        win. If they came through a friend's link, the friend's entry for them is on hold.
      </p>
      {query.get('view') === 'flagged' ? (
        <Allowed needs="view_people">
          <AllFlaggedUsers />
        </Allowed>
      ) : (
        <>
          {allowed('decide_appeals') && <Appeals />}
          <SuspiciousActivity />
          {allowed('view_people') && (
            <>
              <FlaggedUsers />
              <SharedNetworks />
            </>
          )}
        </>
      )}
    </div>
  );
}
