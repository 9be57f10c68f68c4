import { useListAuditLogQuery, type AuditEntryView } from '../../api/admin';
import { fieldError, filled, useDateRange } from '../../lib/filters';
import { formatDateTime } from '../../../shared/lib/format';
import { useQueryState } from '../../lib/useQueryState';
import { Card } from '../../ui/Card';
import { DateField } from '../../ui/DateField';
import { Field } from '../../ui/Field';
import { Pagination } from '../../ui/Pagination';
import { EmptyState, QueryView } from '../../ui/states';
import { Table, type Column } from '../../ui/Table';
import { actionNames, detailsOf, targetOf } from './activityWords';
import type { AuditLogFilters } from './exportApi';
import { ExportButton } from './ExportButton';

const PAGE = 25;

/** What staff did: the audit log, filtered by what stands in the address. */
export function Activity() {
  const [query, setQuery] = useQueryState();
  const { startDate, endDate } = useDateRange();
  const action = query.get('action') ?? '';
  const offset = Math.max(0, Number(query.get('offset')) || 0);
  const filters = filled<AuditLogFilters>({ action, startDate, endDate });
  const log = useListAuditLogQuery({ ...filters, limit: PAGE, offset });
  // Another question begins at its first page.
  const filter = (change: Record<string, string>) => setQuery({ ...change, offset: null });
  return (
    <Card
      title="Activity"
      note="Every change that staff made, the newest first. Nothing can be deleted here."
      actions={<ExportButton filters={filters} />}
    >
      <div className="filters">
        <Field label="Action" error={fieldError(log.error, 'action')}>
          {(control) => (
            <select
              {...control}
              value={action}
              onChange={(event) => filter({ action: event.target.value })}
            >
              <option value="">All actions</option>
              {Object.entries(actionNames).map(([key, name]) => (
                <option key={key} value={key}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <DateField
          label="Start date"
          value={startDate}
          error={fieldError(log.error, 'startDate')}
          onChange={(day) => filter({ startDate: day })}
        />
        <DateField
          label="End date"
          value={endDate}
          error={fieldError(log.error, 'endDate')}
          onChange={(day) => filter({ endDate: day })}
        />
      </div>
      <QueryView query={log}>
        {({ entries, totalCount }) => (
          <>
            <Entries entries={entries} isFiltered={Object.keys(filters).length > 0} />
            {totalCount > 0 && (
              <Pagination
                label="actions"
                total={totalCount}
                limit={PAGE}
                offset={offset}
                onChange={(next) => setQuery({ offset: next ? String(next) : null })}
              />
            )}
          </>
        )}
      </QueryView>
    </Card>
  );
}

function Entries({ entries, isFiltered }: { entries: AuditEntryView[]; isFiltered: boolean }) {
  if (entries.length === 0) {
    return isFiltered ? (
      <EmptyState title="Nothing matches">Choose other dates or all actions.</EmptyState>
    ) : (
      <EmptyState title="No activity yet">
        Whatever staff change is listed here, with who was meant and from where it was done.
      </EmptyState>
    );
  }
  return (
    <Table
      caption="What staff did, when, to whom and from where"
      columns={columns}
      rows={entries}
      rowKey={({ id }) => id}
    />
  );
}

const columns: Column<AuditEntryView>[] = [
  { key: 'when', header: 'When', cell: ({ createdAt }) => formatDateTime(createdAt) },
  { key: 'action', header: 'Action', cell: ({ action }) => actionNames[action] },
  { key: 'target', header: 'Who or what', cell: (entry) => targetOf(entry) ?? '–' },
  {
    key: 'details',
    header: 'Details',
    cell: ({ details }) => <Details lines={detailsOf(details)} />,
  },
  {
    key: 'address',
    header: 'IP address',
    cell: ({ ipAddress }) => (ipAddress ? <span className="code">{ipAddress}</span> : 'N/A'),
  },
];

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
