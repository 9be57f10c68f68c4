import { useGetSalesQuery } from '../../api/admin';
import { useListState, anyText } from '../../lib/useListState';
import { raffleKeys } from '../../lib/raffles';
import { PurchaseList } from './PurchaseList';
import { Sums } from './Sums';
import { stateNames } from './words';

/** What was sold in a range of days: the sums, and the purchases one by one. */
export function SalesScreen() {
  const list = useListState({
    filters: {
      startDate: anyText,
      endDate: anyText,
      state: Object.keys(stateNames),
      landingPage: raffleKeys(),
      search: anyText,
    },
  });
  const { startDate, endDate } = list.filters;
  const days = { ...(startDate && { startDate }), ...(endDate && { endDate }) };
  const sales = useGetSalesQuery(days, { refetchOnMountOrArgChange: true });
  return (
    <div className="grid">
      <header className="screen-head">
        <h1>Sales</h1>
      </header>
      <Sums query={sales} list={list} />
      <PurchaseList list={list} days={days} />
    </div>
  );
}
