import type { FlaggedSortView, FlaggedUserView } from '../../api/admin';
import { formatCount, formatDay } from '../../../shared/lib/format';
import { maskPhone } from '../../../shared/lib/phone';
import { raffleName } from '../../lib/raffles';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import type { Column } from '../../ui/Table';
import { PersonLink } from '../../ui/PersonLink';
import { WhyFlagged } from '../../ui/WhyFlagged';

type SortedColumn = Column<FlaggedUserView> & { sort?: FlaggedSortView };

/** What the lists of flagged users show of each. */
export const flaggedColumns: SortedColumn[] = [
  {
    key: 'phone',
    header: 'Phone',
    cell: ({ id, phoneNumber }) => (
      <span className="who">
        <PersonLink id={id} phoneNumber={phoneNumber}>
          {maskPhone(phoneNumber)}
        </PersonLink>{' '}
        <Badge tone="bad">Excluded from Raffles</Badge>
      </span>
    ),
  },
  {
    key: 'page',
    header: 'Landing page',
    cell: ({ landingPage }) => raffleName(landingPage),
  },
  {
    key: 'entries',
    header: 'Total entries',
    sort: 'totalEntries',
    help: 'The entries that the user has. They are in no drawing while the user is flagged.',
    numeric: true,
    cell: ({ totalEntries }) => formatCount(totalEntries),
  },
  {
    key: 'address',
    header: 'IP address',
    help: 'The IP address the user entered from.',
    cell: ({ ipAddress }) => (ipAddress ? <span className="code">{ipAddress}</span> : 'N/A'),
  },
  {
    key: 'registered',
    header: 'Registered',
    sort: 'createdAt',
    time: true,
    cell: ({ createdAt }) => formatDay(createdAt),
  },
  {
    key: 'flagged',
    header: 'Flagged',
    sort: 'flaggedAt',
    time: true,
    cell: ({ flaggedAt }) => formatDay(flaggedAt),
  },
  {
    key: 'reason',
    header: 'Reason',
    help: 'What fraud detection found, or what staff wrote.',
    cell: WhyFlagged,
  },
];

/** For those who may end a flag. */
export const unflagging = (onUnflag: (user: FlaggedUserView) => void): SortedColumn => ({
  key: 'unflag',
  header: 'Unflag',
  actions: true,
  cell: (user) => (
    <Button size="small" onClick={() => onUnflag(user)}>
      Unflag <span className="unseen">{maskPhone(user.phoneNumber)}</span>
    </Button>
  ),
});
