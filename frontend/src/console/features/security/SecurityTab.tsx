import { FlaggedUsers } from './FlaggedUsers';
import { SuspiciousActivity } from './SuspiciousActivity';

export function SecurityTab() {
  return (
    <div className="grid">
      <p className="notice" data-tone="info">
        Flagged users are excluded from all raffle drawings. They can still use the site but cannot
        win.
      </p>
      <SuspiciousActivity />
      <FlaggedUsers />
    </div>
  );
}
