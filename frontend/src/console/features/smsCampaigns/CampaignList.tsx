import { useState, type ReactNode } from 'react';
import {
  useCampaignsPolling,
  useListCampaignsQuery,
  useListSmsTemplatesQuery,
  type CampaignView,
} from '../../api/sms';
import { formatDateTime } from '../../../shared/lib/format';
import { useListState } from '../../lib/useListState';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { DataList } from '../../ui/DataList';
import { QueryLink } from '../../ui/QueryLink';
import { EmptyState, QueryView } from '../../ui/states';
import type { Column } from '../../ui/Table';
import { CampaignForm } from './CampaignForm';
import { CancelCampaign } from './CancelCampaign';
import { Progress } from './Progress';
import { SendingNotices } from './SendingNotices';
import { StatusBadge } from './StatusBadge';
import { polled } from '../../lib/polled';
import { pollEveryMs } from './polling';
import { audienceOf } from './words';

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

function Campaigns({ actions }: { actions: ReactNode }) {
  const list = useListState({});
  const page = { limit: list.limit, offset: list.offset };
  const campaigns = useListCampaignsQuery(page);
  const { data, fulfilledTimeStamp = 0 } = campaigns;
  useCampaignsPolling(page, polled(pollEveryMs(data?.campaigns ?? [], fulfilledTimeStamp)));
  const [cancelling, setCancelling] = useState<CampaignView>();
  return (
    <>
      <DataList
        title="Campaigns"
        note="Newest first"
        actions={actions}
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
        columns={columnsWith(setCancelling)}
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
  {
    key: 'when',
    header: 'Scheduled for',
    time: true,
    cell: (each) => formatDateTime(each.scheduledDate),
  },
  {
    key: 'audience',
    header: 'Audience',
    help: 'Whom the campaign is for. Its report says who was skipped, and why.',
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
