import { useState, type ReactNode } from 'react';
import { useListCampaignsQuery, useListSmsTemplatesQuery, type CampaignView } from '../../api/sms';
import { formatDateTime } from '../../../shared/lib/format';
import { useQueryState } from '../../lib/useQueryState';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Pagination } from '../../ui/Pagination';
import { QueryLink } from '../../ui/QueryLink';
import { EmptyState, QueryView } from '../../ui/states';
import { Table, type Column } from '../../ui/Table';
import { CampaignForm } from './CampaignForm';
import { CancelCampaign } from './CancelCampaign';
import { Progress } from './Progress';
import { SendingNotices } from './SendingNotices';
import { StatusBadge } from './StatusBadge';
import { usePolling } from '../../lib/usePolling';
import { pollEveryMs } from './polling';
import { audienceOf } from './words';

const PAGE = 25;

export function CampaignList() {
  const [isScheduling, setScheduling] = useState(false);
  return (
    <>
      <SendingNotices />
      {isScheduling && <Scheduling onClose={() => setScheduling(false)} />}
      <Campaigns
        actions={
          !isScheduling && <Button onClick={() => setScheduling(true)}>Schedule Campaign</Button>
        }
      />
    </>
  );
}

function Scheduling({ onClose }: { onClose: () => void }) {
  const templates = useListSmsTemplatesQuery();
  return (
    <Card title="New campaign">
      <QueryView query={templates}>
        {({ templates: rows }) => {
          const active = rows.filter(({ isActive }) => isActive);
          return active.length === 0 ? (
            <EmptyState title="No active template">
              A campaign needs the words of its text.{' '}
              <QueryLink change={{ tab: 'templates' }}>Go to Templates</QueryLink>
            </EmptyState>
          ) : (
            <CampaignForm templates={active} onClose={onClose} />
          );
        }}
      </QueryView>
    </Card>
  );
}

function Campaigns({ actions }: { actions: ReactNode }) {
  const [query, setQuery] = useQueryState();
  const offset = Math.max(0, Math.trunc(Number(query.get('offset'))) || 0);
  const campaigns = useListCampaignsQuery({ limit: PAGE, offset });
  const { data, fulfilledTimeStamp = 0, refetch } = campaigns;
  usePolling(refetch, pollEveryMs(data?.campaigns ?? [], fulfilledTimeStamp));
  const open = (next: number) => setQuery({ offset: next ? String(next) : null });
  return (
    <Card title="Campaigns" note="The newest first" actions={actions}>
      <QueryView query={campaigns}>
        {({ campaigns: rows, totalCount }) => (
          <>
            <Rows rows={rows} total={totalCount} onFirst={() => open(0)} />
            {totalCount > 0 && (
              <Pagination
                label="campaigns"
                total={totalCount}
                limit={PAGE}
                offset={offset}
                onChange={open}
              />
            )}
          </>
        )}
      </QueryView>
    </Card>
  );
}

interface RowsProps {
  rows: CampaignView[];
  total: number;
  onFirst: () => void;
}

function Rows({ rows, total, onFirst }: RowsProps) {
  const [cancelling, setCancelling] = useState<CampaignView>();
  if (total === 0) {
    return (
      <EmptyState title="No campaigns yet">
        Schedule one, and it is listed here with its progress and what became of it.
      </EmptyState>
    );
  }
  if (rows.length === 0) {
    return (
      <div className="failed">
        <p>There is no such page.</p>
        <Button onClick={onFirst}>Show the first</Button>
      </div>
    );
  }
  return (
    <>
      <Table
        caption="Campaigns with their times, audiences and progress"
        columns={columnsWith(setCancelling)}
        rows={rows}
        rowKey={({ id }) => id}
      />
      {cancelling && (
        <CancelCampaign campaign={cancelling} onClose={() => setCancelling(undefined)} />
      )}
    </>
  );
}

const columnsWith = (onCancel: (campaign: CampaignView) => void): Column<CampaignView>[] => [
  {
    key: 'name',
    header: 'Campaign',
    cell: ({ id, campaignName, templateName }) => (
      <span className="sms-name">
        <QueryLink change={{ campaign: String(id), offset: null }}>{campaignName}</QueryLink>
        <span className="quiet-text">{templateName}</span>
      </span>
    ),
  },
  { key: 'when', header: 'Scheduled for', cell: (each) => formatDateTime(each.scheduledDate) },
  { key: 'audience', header: 'Audience', cell: audienceOf },
  { key: 'status', header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    key: 'progress',
    header: 'Progress',
    cell: (campaign) => (isUnderway(campaign) ? <Progress campaign={campaign} /> : 'Not started'),
  },
  {
    key: 'actions',
    header: 'Change',
    actions: true,
    cell: (campaign) =>
      campaign.status === 'pending' && (
        <Button size="small" onClick={() => onCancel(campaign)}>
          Cancel <span className="unseen">{campaign.campaignName}</span>
        </Button>
      ),
  },
];

const isUnderway = ({ status }: CampaignView) => status !== 'pending' && status !== 'cancelled';
