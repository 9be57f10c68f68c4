import { useEffect, useRef, useState, type ReactNode } from 'react';
import {
  useCampaignPolling,
  useFindCampaignQuery,
  type CampaignReportView,
  type CampaignView,
  type FindCampaignApiResponse,
  type ReasonView,
} from '../../api/sms';
import { useDownload } from '../../api/downloads';
import { countOf, formatCount, formatDateTime } from '../../../shared/lib/format';
import { useMay } from '../../session/me';
import { Button } from '../../ui/Button';
import { Card, Figure, Figures } from '../../ui/Card';
import { ExportButton } from '../../ui/ExportButton';
import { timesNote } from '../../lib/timeZoneWords';
import { useListState } from '../../lib/useListState';
import { useQueryState } from '../../lib/useQueryState';
import { QueryLink } from '../../ui/QueryLink';
import { EmptyState, QueryView, type QueryResult } from '../../ui/states';
import type { Column } from '../../ui/Table';
import { WholeList } from '../../ui/WholeList';
import { CancelCampaign } from './CancelCampaign';
import { EvidenceCard } from './EvidenceCard';
import { FilledCampaign } from './FilledCampaign';
import { Progress } from './Progress';
import { Results } from './Results';
import { StatusBadge } from './StatusBadge';
import { polled } from '../../lib/polled';
import { pollEveryMs } from './polling';
import { audienceOf, skipReasonOf } from './words';

/** Deliveries and clicks come in long after the last text is sent. */
const AFTERWARDS_MS = 30_000;

/** One campaign: its settings, its progress, and the result of each of its texts. */
export function Report({ id }: { id: number }) {
  const asked = { id, customPhoneNumbers: 'short' } as const; // asked often: a list may have 100,000 numbers
  const found = useFindCampaignQuery(asked);
  const { data, fulfilledTimeStamp = 0 } = found;
  const everyMs = data && (pollEveryMs([data.campaign], fulfilledTimeStamp) ?? AFTERWARDS_MS);
  useCampaignPolling(asked, polled(everyMs));
  const mayLookUp = useMay('view_people');
  const [filling, setFilling] = useState<Filling>();
  const [isDone, setDone] = useState(false);
  const [, setQuery] = useQueryState();
  useEffect(() => {
    if (isDone) setQuery({ campaign: null }); // after the form is gone, which would ask about what was typed
  }, [isDone, setQuery]);
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
            {filling && (
              <FilledCampaign
                key={filling}
                campaign={campaign}
                as={filling}
                onClose={() => setFilling(undefined)}
                onDone={() => {
                  setFilling(undefined);
                  setDone(filling === 'again');
                }}
              />
            )}
            <Summary
              campaign={campaign}
              report={report}
              acts={<Acts campaign={campaign} onFill={filling ? undefined : setFilling} />}
            />
            <Results campaign={campaign} />
            <div className="grid" data-columns="2">
              <Reasons
                kind="failed"
                title="Failed, by reason"
                none="No text has failed."
                query={found}
                reasonsOf={(each) => each.report.failed}
              />
              <Reasons
                kind="skipped"
                title="Skipped, by reason"
                none="Nobody was skipped."
                query={found}
                reasonsOf={(each) => each.report.skipped.map(inWords)}
              />
            </div>
            {mayLookUp && campaign.startedAt && <EvidenceCard campaignId={id} />}
          </div>
        )}
      </QueryView>
    </>
  );
}

type Filling = 'again' | 'edit';

interface SummaryProps {
  campaign: CampaignView;
  report: CampaignReportView;
  acts: ReactNode;
}

function Summary({ campaign, report, acts }: SummaryProps) {
  const { waiting, unknown, sent, delivered, clicked, ctaClicked } = report;
  return (
    <Card title={campaign.campaignName} note={timesNote()} actions={acts}>
      <Facts campaign={campaign} />
      <div className="sms-report">
        {campaign.status === 'sending' && <Progress campaign={campaign} />}
        {unknown > 0 && (
          <p className="notice">
            We don't know whether {countOf(unknown, 'text')} {unknown === 1 ? 'was' : 'were'} sent:
            the provider did not say. {unknown === 1 ? 'It is' : 'They are'} not sent again before
            it does.
          </p>
        )}
        <Figures label="Results">
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

interface ActsProps {
  campaign: CampaignView;
  /** Opens the form with what this campaign was scheduled with; without it, one is open. */
  onFill: ((filling: Filling) => void) | undefined;
}

function Acts({ campaign, onFill }: ActsProps) {
  const { id, status } = campaign;
  const mayChange = useMay('manage_texts');
  const mayExport = useMay('export_lists');
  const [isCancelling, setCancelling] = useState(false);
  const fetchFile = useDownload(`/api/admin/sms/campaigns/${id}/export`);
  return (
    <>
      {mayExport && <ExportButton fileName={`tombola-campaign-${id}.csv`} fetchFile={fetchFile} />}
      {mayChange && onFill && <Button onClick={() => onFill('again')}>Use again</Button>}
      {mayChange && onFill && status === 'pending' && (
        <Button onClick={() => onFill('edit')}>Edit</Button>
      )}
      {mayChange && status === 'pending' && (
        <Button onClick={() => setCancelling(true)}>Cancel campaign</Button>
      )}
      {isCancelling && <CancelCampaign campaign={campaign} onClose={() => setCancelling(false)} />}
    </>
  );
}

function Facts({ campaign }: { campaign: CampaignView }) {
  const { status, scheduledDate, startedAt, sentAt, templateName, trackingUrlBase, createdBy } =
    campaign;
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
      {campaign.consentBasis && <Fact name="Why they may be texted">{campaign.consentBasis}</Fact>}
      <Fact name="Links begin with">{trackingUrlBase}</Fact>
      {createdBy && <Fact name="Scheduled by">{createdBy}</Fact>}
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

const inWords = ({ reason, count }: ReasonView): ReasonView => ({
  reason: skipReasonOf(reason),
  count,
});

interface ReasonsProps {
  /** Tells the two lists apart in the address. */
  kind: string;
  title: string;
  none: string;
  query: QueryResult<FindCampaignApiResponse>;
  reasonsOf: (found: FindCampaignApiResponse) => ReasonView[];
}

function Reasons({ kind, title, none, query, reasonsOf }: ReasonsProps) {
  const list = useListState({ prefix: `${kind}.`, sorts: { count: 'desc', reason: 'asc' } });
  return (
    <WholeList
      title={title}
      query={query}
      quiet
      rowsOf={reasonsOf}
      list={list}
      empty={<EmptyState title={none} />}
      caption={title}
      columns={reasonColumns}
      rowKey={({ reason }) => reason}
    />
  );
}

const reasonColumns: Column<ReasonView>[] = [
  {
    key: 'reason',
    header: 'Reason',
    sort: 'reason',
    value: ({ reason }) => reason,
    cell: ({ reason }) => reason,
  },
  {
    key: 'count',
    header: 'Texts',
    numeric: true,
    sort: 'count',
    value: ({ count }) => count,
    cell: ({ count }) => formatCount(count),
  },
];

const sumOf = (reasons: ReasonView[]): number =>
  reasons.reduce((total, { count }) => total + count, 0);
