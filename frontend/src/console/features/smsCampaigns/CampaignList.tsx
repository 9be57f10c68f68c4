import { useState, type ReactNode } from 'react';
import {
  useCampaignsPolling,
  useListCampaignsQuery,
  useListSmsTemplatesQuery,
  type CampaignSortView,
  type CampaignStatusView,
  type CampaignView,
} from '../../api/sms';
import { useDownload } from '../../api/downloads';
import { today } from '../../../shared/lib/days';
import { formatDateTime, formatDay } from '../../../shared/lib/format';
import { useDebounced } from '../../lib/useDebounced';
import { anyText, useListState, type Order } from '../../lib/useListState';
import { useMay } from '../../session/me';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { DataList } from '../../ui/DataList';
import { FilterSelect } from '../../ui/FilterSelect';
import { QueryLink } from '../../ui/QueryLink';
import { SearchField } from '../../ui/SearchField';
import { EmptyState, QueryView } from '../../ui/states';
import type { Column } from '../../ui/Table';
import { CampaignForm } from './CampaignForm';
import { CancelCampaign } from './CancelCampaign';
import { Progress } from './Progress';
import { SendingNotices } from './SendingNotices';
import { StatusBadge } from './StatusBadge';
import { polled } from '../../lib/polled';
import { pollEveryMs } from './polling';
import { audienceOf, statusNames } from './words';

export function CampaignList() {
  const [isScheduling, setScheduling] = useState(false);
  const maySchedule = useMay('manage_texts');
  return (
    <>
      <SendingNotices />
      {isScheduling && <Scheduling onClose={() => setScheduling(false)} />}
      <Campaigns
        actions={
          maySchedule &&
          !isScheduling && <Button onClick={() => setScheduling(true)}>Schedule Campaign</Button>
        }
      />
    </>
  );
}

function Scheduling({ onClose }: { onClose: () => void }) {
  const templates = useListSmsTemplatesQuery({});
  return (
    <Card title="New campaign">
      <QueryView query={templates} holdsForm>
        {({ templates: rows }) => {
          const active = rows.filter(({ isActive }) => isActive);
          return active.length === 0 ? (
            <EmptyState title="No active template">
              A campaign needs a template for its texts.{' '}
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

const sorts: Record<CampaignSortView, Order> = {
  createdAt: 'desc',
  scheduledDate: 'desc',
  campaignName: 'asc',
};
const statuses = Object.keys(statusNames) as CampaignStatusView[];

function Campaigns({ actions }: { actions: ReactNode }) {
  const list = useListState({ sorts, filters: { status: statuses, search: anyText } });
  const { limit, offset, sort, order } = list;
  const { search: typed, ...filters } = list.filters;
  const search = useDebounced(typed);
  const page = { ...filters, ...(search && { search }), limit, offset, sort, order };
  const campaigns = useListCampaignsQuery(page);
  const fetchFile = useDownload('/api/admin/sms/campaigns/export', list.filters);
  const { data, fulfilledTimeStamp = 0 } = campaigns;
  useCampaignsPolling(page, polled(pollEveryMs(data?.campaigns ?? [], fulfilledTimeStamp)));
  const mayCancel = useMay('manage_texts');
  const mayExport = useMay('export_lists');
  const [cancelling, setCancelling] = useState<CampaignView>();
  return (
    <>
      <DataList
        title="Campaigns"
        actions={actions}
        exported={
          mayExport ? { fileName: `tombola-campaigns-${today()}.csv`, fetchFile } : undefined
        }
        filters={
          <>
            <FilterSelect
              label="Status"
              name="status"
              all="All statuses"
              options={statusNames}
              list={list}
              error={campaigns.error}
            />
            <SearchField label="Find by name" maxLength={80} list={list} />
          </>
        }
        query={campaigns}
        pageOf={(answer) => ({ rows: answer.campaigns, total: answer.totalCount })}
        list={list}
        label="campaigns"
        empty={
          <EmptyState title="No campaigns yet">
            Campaigns you schedule appear here with their progress and results.
          </EmptyState>
        }
        caption="Campaigns with their times, audiences and progress"
        columns={mayCancel ? [...columns, cancellation(setCancelling)] : columns}
        rowKey={({ id }) => id}
      />
      {cancelling && (
        <CancelCampaign campaign={cancelling} onClose={() => setCancelling(undefined)} />
      )}
    </>
  );
}

type SortedColumn = Column<CampaignView> & { sort?: CampaignSortView };

const columns: SortedColumn[] = [
  {
    key: 'name',
    header: 'Campaign',
    sort: 'campaignName',
    cell: ({ id, campaignName, templateName }) => (
      <span className="sms-name">
        <QueryLink change={{ campaign: String(id), offset: null }}>{campaignName}</QueryLink>
        <span className="quiet-text">{templateName}</span>
      </span>
    ),
  },
  {
    key: 'when',
    header: 'Scheduled for',
    sort: 'scheduledDate',
    time: true,
    cell: (each) => formatDateTime(each.scheduledDate),
  },
  {
    key: 'audience',
    header: 'Audience',
    help: 'Who the campaign is for. Its report says who was skipped and why.',
    cell: audienceOf,
  },
  { key: 'status', header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    key: 'progress',
    header: 'Progress',
    help: 'How many texts were sent, failed or were skipped, of all recipients.',
    cell: (campaign) => (isUnderway(campaign) ? <Progress campaign={campaign} /> : 'Not started'),
  },
  {
    key: 'created',
    header: 'Created',
    sort: 'createdAt',
    time: true,
    cell: ({ createdAt }) => formatDay(createdAt),
  },
];

const cancellation = (onCancel: (campaign: CampaignView) => void): SortedColumn => ({
  key: 'actions',
  header: 'Change',
  actions: true,
  cell: (campaign) =>
    campaign.status === 'pending' && (
      <Button size="small" onClick={() => onCancel(campaign)}>
        Cancel <span className="unseen">{campaign.campaignName}</span>
      </Button>
    ),
});

const isUnderway = ({ status }: CampaignView) => status !== 'pending' && status !== 'cancelled';
