import type { RaffleStatisticsView } from '../../api/admin';
import { formatCount } from '../../../shared/lib/format';
import { raffleName } from '../../lib/raffles';

/** What is drawn from: the raffle that is selected, and how much is in it. */
export function RaffleFacts({ raffle }: { raffle: RaffleStatisticsView }) {
  return (
    <dl className="draw-facts">
      <div>
        <dt>Selected raffle</dt>
        <dd>{raffleName(raffle.landingPage)}</dd>
      </div>
      <div>
        <dt>Participants</dt>
        <dd>{formatCount(raffle.users)}</dd>
      </div>
      <div>
        <dt>Total entries</dt>
        <dd>{formatCount(raffle.totalEntries)}</dd>
      </div>
    </dl>
  );
}
