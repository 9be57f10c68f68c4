import { useListAuditLogQuery, type AuditEntryView } from '../../api/admin';
import { useDownload } from '../../api/downloads';
import { today } from '../../../shared/lib/days';
import { formatDateTime } from '../../../shared/lib/format';
import { anyText, useListState } from '../../lib/useListState';
import { DataList } from '../../ui/DataList';
import { DateRangeFields } from '../../ui/DateRangeFields';
import { FilterSelect } from '../../ui/FilterSelect';
import { QueryLink } from '../../ui/QueryLink';
import { EmptyState } from '../../ui/states';
import type { Column } from '../../ui/Table';
import { actionNames, detailsOf, targetOf } from './activityWords';

const actions = Object.keys(actionNames) as AuditEntryView['action'][];

/** What staff did: the audit log. */
export function Activity() {
  const list = useListState({
    filters: { action: actions, startDate: anyText, endDate: anyText },
  });
  const { limit, offset, filters } = list;
  const log = useListAuditLogQuery({ ...filters, limit, offset });
  const fetchFile = useDownload('/api/admin/audit-log/export', filters);
  return (
    <DataList
      title="Activity"
      note="Every login and every change staff made, newest first. Nothing here can be deleted."
      exported={{ fileName: `tombola-activity-${today()}.csv`, fetchFile }}
      filters={
        <>
          <FilterSelect
            label="Action"
            name="action"
            all="All actions"
            options={actionNames}
            list={list}
            error={log.error}
          />
          <DateRangeFields list={list} error={log.error} />
        </>
      }
      query={log}
      pageOf={({ entries, totalCount }) => ({ rows: entries, total: totalCount })}
      list={list}
      label="actions"
      empty={
        <EmptyState title="No activity yet">
          Whatever staff change is listed here, with who or what changed and the IP address.
        </EmptyState>
      }
      caption="What staff did, when, to whom, and from which IP address"
      columns={columns}
      rowKey={({ id }) => id}
    />
  );
}

const columns: Column<AuditEntryView>[] = [
  { key: 'when', header: 'When', time: true, cell: ({ createdAt }) => formatDateTime(createdAt) },
  { key: 'action', header: 'Action', cell: ({ action }) => actionNames[action] },
  {
    key: 'member',
    header: 'Done by',
    help: 'Whose account it was. A dash stands for the server, for a failed login, and for what was done before there were accounts.',
    cell: ({ member }) => <span className="own-words">{member ?? '–'}</span>,
  },
  {
    key: 'target',
    header: 'Who or what',
    help: 'What was changed; a number is the id that it has in the API and in exported files.',
    cell: (entry) => <Target entry={entry} />,
  },
  {
    key: 'details',
    header: 'Details',
    cell: (entry) => <Details lines={detailsOf(entry)} />,
  },
  {
    key: 'address',
    header: 'IP address',
    help: 'The IP address the change was made from.',
    cell: ({ ipAddress }) => (ipAddress ? <span className="code">{ipAddress}</span> : 'N/A'),
  },
];

function Target({ entry }: { entry: AuditEntryView }) {
  const target = targetOf(entry);
  if (!target) return '–';
  const { name, screen } = target;
  if (!screen) return name;
  return (
    <QueryLink change={screen} clear>
      {name}
    </QueryLink>
  );
}

function Details({ lines }: { lines: string[] }) {
  if (lines.length === 0) return '–';
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
