/** On the pages behind the links in our texts, after src/entries/tracking.ts, whose session its calls carry. */
import { startPlanter } from '../site/features/planter/click';
import { trackingIdOf } from '../site/features/planter/trackingId';
import { optedOut } from '../site/features/tracking/optOut';

const trackingId = trackingIdOf(location.pathname);
if (trackingId) startPlanter(trackingId, { reports: !optedOut() });
