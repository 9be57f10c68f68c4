import { useEffect, useRef, useState, type ReactNode } from 'react';
import {
  useFindCampaignQuery,
  type CampaignReportView,
  type CampaignView,
  type ReasonView,
} from '../../api/sms';
import { countOf, formatCount, formatDateTime } from '../../../shared/lib/format';
import { Button } from '../../ui/Button';
import { Card, Figure, Figures } from '../../ui/Card';
import { DownloadButton } from '../../ui/DownloadButton';
import { QueryLink } from '../../ui/QueryLink';
import { EmptyState, QueryView } from '../../ui/states';
import { Table } from '../../ui/Table';
import { CancelCampaign } from './CancelCampaign';
import { useDownloadCampaignMutation } from './exportApi';
import { Progress } from './Progress';
import { StatusBadge } from './StatusBadge';
import { usePolling } from '../../lib/usePolling';
import { pollEveryMs } from './polling';
import { audienceOf, skipReasonOf } from './words';

/** Deliveries and clicks come in long after the last text is sent. */
const AFTERWARDS_MS = 30_000;

/** One campaign: what it was, how far it is, and what became of each of its texts. */
export function Report({ id }: { id: number }) {
  const found = useFindCampaignQuery({ id });
  const { data, fulfilledTimeStamp = 0, refetch } = found;
  usePolling(refetch, data && (pollEveryMs([data.campaign], fulfilledTimeStamp) ?? AFTERWARDS_MS));
  const back = useRef<HTMLDivElement>(null);
  useEffect(() => back.current?.querySelector('a')?.focus(), []); // the link that led here is gone
  return (
    <>
      <div ref={back}>
        <QueryLink change={{ campaign: null }}>Back to all campaigns</QueryLink>
      </div>
      <QueryView query={found}>
        {({ campaign, report }) => (
          <div className="grid">
            <Summary campaign={campaign} report={report} />
            <div className="grid" data-columns="2">
              <Reasons
                title="Failed, by reason"
                none="No text has failed."
                reasons={report.failed}
              />
              <Reasons
                title="Skipped, by reason"
                none="Nobody was skipped."
                reasons={report.skipped.map(({ reason, count }) => ({
                  reason: skipReasonOf(reason),
                  count,
                }))}
              />
            </div>
          </div>
        )}
      </QueryView>
    </>
  );
}

interface SummaryProps {
  campaign: CampaignView;
  report: CampaignReportView;
}

function Summary({ campaign, report }: SummaryProps) {
  const { waiting, unknown, sent, delivered, clicked, ctaClicked } = report;
  return (
    <Card title={campaign.campaignName} actions={<Acts campaign={campaign} />}>
      <Facts campaign={campaign} />
      <div className="sms-report">
        {campaign.status === 'sending' && <Progress campaign={campaign} />}
        {unknown > 0 && (
          <p className="notice">
            Of {countOf(unknown, 'text')} it is not known whether{' '}
            {unknown === 1 ? 'it was' : 'they were'} sent: the provider did not say.{' '}
            {unknown === 1 ? 'It is' : 'They are'} not sent again before it does.
          </p>
        )}
        <Figures label="What became of it">
          <Figure label="Recipients" value={formatCount(campaign.recipientCount)} />
          <Figure label="Waiting" value={formatCount(waiting)} />
          <Figure label="Unknown" value={formatCount(unknown)} />
          <Figure label="Sent" value={formatCount(sent)} />
          <Figure label="Delivered" value={formatCount(delivered)} note="of those sent" />
          <Figure label="Failed" value={formatCount(sumOf(report.failed))} />
          <Figure label="Skipped" value={formatCount(sumOf(report.skipped))} />
          <Figure label="Clicked" value={formatCount(clicked)} note="the link" />
          <Figure label="Went on" value={formatCount(ctaClicked)} note="to the raffle" />
        </Figures>
      </div>
    </Card>
  );
}

function Acts({ campaign }: { campaign: CampaignView }) {
  const { id, status } = campaign;
  const [isCancelling, setCancelling] = useState(false);
  const [download, { isLoading, error }] = useDownloadCampaignMutation();
  return (
    <>
      <DownloadButton
        fileName={`tombola-campaign-${id}.csv`}
        fetchFile={() => download({ id })}
        isLoading={isLoading}
        error={error}
      >
        Download CSV
      </DownloadButton>
      {status === 'pending' && <Button onClick={() => setCancelling(true)}>Cancel campaign</Button>}
      {isCancelling && <CancelCampaign campaign={campaign} onClose={() => setCancelling(false)} />}
    </>
  );
}

function Facts({ campaign }: { campaign: CampaignView }) {
  const { status, scheduledDate, startedAt, sentAt, templateName, trackingUrlBase } = campaign;
  return (
    <dl className="sms-facts">
      <Fact name="Status">
        <StatusBadge status={status} />
      </Fact>
      <Fact name="Scheduled for">{formatDateTime(scheduledDate)}</Fact>
      {startedAt && <Fact name="Started">{formatDateTime(startedAt)}</Fact>}
      {sentAt && <Fact name="Finished">{formatDateTime(sentAt)}</Fact>}
      <Fact name="Template">{templateName}</Fact>
      <Fact name="Audience">{audienceOf(campaign)}</Fact>
      <Fact name="Links begin with">{trackingUrlBase}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface ReasonsProps {
  title: string;
  none: string;
  reasons: ReasonView[];
}

function Reasons({ title, none, reasons }: ReasonsProps) {
  return (
    <Card title={title}>
      {reasons.length === 0 ? (
        <EmptyState title={none} />
      ) : (
        <Table caption={title} columns={reasonColumns} rows={reasons} rowKey={byReason} />
      )}
    </Card>
  );
}

const byReason = ({ reason }: ReasonView) => reason;

const reasonColumns = [
  { key: 'reason', header: 'Reason', cell: byReason },
  {
    key: 'count',
    header: 'Texts',
    numeric: true,
    cell: ({ count }: ReasonView) => formatCount(count),
  },
];

const sumOf = (reasons: ReasonView[]): number =>
  reasons.reduce((total, { count }) => total + count, 0);
