import { useListPurchasesQuery, type ListedPurchaseView } from '../../api/admin';
import { useDownload } from '../../api/downloads';
import { today } from '../../../shared/lib/days';
import { formatCount, formatDateTime, formatMoney } from '../../../shared/lib/format';
import { fieldError } from '../../lib/fieldError';
import { raffleName, raffleNames } from '../../lib/raffles';
import { useDebounced } from '../../lib/useDebounced';
import type { ListState } from '../../lib/useListState';
import { Badge } from '../../ui/Badge';
import { DataList } from '../../ui/DataList';
import { FilterSelect } from '../../ui/FilterSelect';
import { PersonLink } from '../../ui/PersonLink';
import { SearchField } from '../../ui/SearchField';
import { EmptyState } from '../../ui/states';
import type { Column } from '../../ui/Table';
import { packageInWords, stateNames } from './words';

interface Props {
  list: ListState;
  /** Only what was paid in these. */
  days: { startDate?: string; endDate?: string };
}

/** The purchases one by one, the newest first. */
export function PurchaseList({ list, days }: Props) {
  const { limit, offset } = list;
  const { search: typed, state, landingPage } = list.filters;
  const search = useDebounced(typed);
  const filters = {
    ...days,
    ...(state && { state: state as keyof typeof stateNames }),
    ...(landingPage && { landingPage }),
    ...(search && { search }),
  };
  const found = useListPurchasesQuery(
    { ...filters, limit, offset },
    { refetchOnMountOrArgChange: true }, // people buy at any time
  );
  const fetchFile = useDownload('/api/admin/purchases/export', list.filters);
  return (
    <DataList
      title="Purchases"
      note={
        found.data && !found.data.isTotalExact
          ? 'Newest first. More than 1,000 match; choose days or search to see the others.'
          : 'Newest first.'
      }
      exported={{ fileName: `tombola-purchases-${today()}.csv`, fetchFile }}
      filters={
        <>
          <SearchField
            label="Find a number, its last 4 digits, a code, an ID or a payment"
            maxLength={80}
            list={list}
          />
          <FilterSelect
            label="State"
            name="state"
            all="Any state"
            options={stateNames}
            list={list}
            error={found.error}
          />
          <FilterSelect
            label="Landing page"
            name="landingPage"
            all="All landing pages"
            options={raffleNames()}
            list={list}
            error={found.error}
          />
        </>
      }
      query={found}
      unsearchable={
        fieldError(found.error, 'search') !== undefined &&
        'Search by number, its last 4 digits, referral code, ID, or a payment such as pi_123.'
      }
      pageOf={({ purchases, total }) => ({ rows: purchases, total })}
      list={list}
      label="purchases"
      empty={<EmptyState title="Nobody has bought anything yet">Purchases appear here.</EmptyState>}
      caption="Purchases, with what became of them"
      columns={columns}
      rowKey={({ id }) => id}
    />
  );
}

const columns: Column<ListedPurchaseView>[] = [
  {
    key: 'date',
    header: 'Date',
    time: true,
    help: 'When it was paid, or when it began if it was not paid.',
    cell: ({ paidAt, createdAt }) => formatDateTime(paidAt ?? createdAt),
  },
  {
    key: 'buyer',
    header: 'Buyer',
    cell: ({ userId, phoneNumber }) => <PersonLink id={userId} phoneNumber={phoneNumber} />,
  },
  { key: 'page', header: 'Landing page', cell: ({ landingPage }) => raffleName(landingPage) },
  { key: 'package', header: 'Package', cell: ({ package: name }) => packageInWords(name) },
  { key: 'entries', header: 'Entries', numeric: true, cell: ({ entries }) => formatCount(entries) },
  { key: 'amount', header: 'Amount', numeric: true, cell: ({ amount }) => formatMoney(amount) },
  {
    key: 'returned',
    header: 'Sent back',
    numeric: true,
    cell: ({ returned }) => (returned > 0 ? formatMoney(returned) : '–'),
  },
  {
    key: 'state',
    header: 'State',
    cell: ({ state }) => <Badge tone={tones[state]}>{stateNames[state]}</Badge>,
  },
];

const tones = {
  paid: 'good',
  partly_refunded: 'warn',
  refunded: 'neutral',
  disputed: 'bad',
  waiting: 'neutral',
  canceled: 'neutral',
} as const;
