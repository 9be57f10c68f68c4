import type { PersonRowView } from '../../api/people';
import { formatCount, formatDateTime } from '../../../shared/lib/format';
import { raffleName } from '../../lib/raffles';
import { Badge } from '../../ui/Badge';
import type { Column } from '../../ui/Table';
import { PersonLink } from '../../ui/PersonLink';

export const peopleColumns: Column<PersonRowView>[] = [
  {
    key: 'phone',
    header: 'Phone',
    cell: ({ id, phoneNumber, isFlagged, isDuplicate }) => (
      <span className="who">
        <PersonLink id={id} phoneNumber={phoneNumber} />{' '}
        {isDuplicate ? (
          <Badge tone="bad">Duplicate</Badge>
        ) : (
          isFlagged && <Badge tone="bad">Flagged</Badge>
        )}
      </span>
    ),
  },
  { key: 'page', header: 'Landing page', cell: ({ landingPage }) => raffleName(landingPage) },
  {
    key: 'entries',
    header: 'Total entries',
    numeric: true,
    cell: ({ totalEntries }) => formatCount(totalEntries),
  },
  {
    key: 'code',
    header: 'Referral code',
    cell: ({ referralCode }) => <span className="code">{referralCode}</span>,
  },
  { key: 'tags', header: 'Tags', cell: ({ tags }) => <Tags tags={tags} /> },
  {
    key: 'entered',
    header: 'Entered',
    time: true,
    cell: ({ createdAt }) => formatDateTime(createdAt),
  },
];

export function Tags({ tags }: { tags: string[] }) {
  return (
    <span className="person-tags">
      {tags.map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
    </span>
  );
}
