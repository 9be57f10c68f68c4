import {
  useCampaignsPolling,
  useListCampaignsQuery,
  useListSmsTemplatesQuery,
  useSmsAnalyticsQuery,
  type CampaignView,
  type SmsFiguresView,
  type SmsTemplateView,
} from '../../api/sms';
import { asApiError } from '../../../shared/api/apiError';
import { formatCount, formatDateTime, formatPercent } from '../../../shared/lib/format';
import { raffleName } from '../../lib/raffles';
import { timesNote } from '../../lib/timeZoneWords';
import { Card, Figure, Figures } from '../../ui/Card';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { QueryLink } from '../../ui/QueryLink';
import { EmptyState, QueryView } from '../../ui/states';
import { Progress } from './Progress';
import { SendingNotices } from './SendingNotices';
import { StatusBadge } from './StatusBadge';
import { polled } from '../../lib/polled';
import { pollEveryMs } from './polling';

const RECENT = 3;
const recent = { limit: RECENT, offset: 0 };

export function Overview() {
  return (
    <div className="grid">
      <SendingNotices />
      <Totals />
      <div className="grid" data-columns="2">
        <RecentTemplates />
        <RecentCampaigns />
      </div>
    </div>
  );
}

/** The boxes keep their places while the figures are on their way. */
function Totals() {
  const { data, error, isFetching, refetch } = useSmsAnalyticsQuery();
  const figures = data?.analytics;
  const percent = (rate: keyof SmsFiguresView) => figures && formatPercent(figures[rate], 1);
  return (
    <div>
      <Figures label="Campaign texts">
        <Figure label="Total Sent" value={figures && formatCount(figures.totalSent)} />
        <Figure label="Delivery Rate" value={percent('deliveryRate')} note="of the texts sent" />
        <Figure
          label="Click Rate"
          value={percent('clickRate')}
          note="of the texts sent, opened the link"
        />
        <Figure
          label="Conversion Rate"
          value={percent('ctaConversionRate')}
          note="of the texts sent, led on to the raffle"
        />
      </Figures>
      {error !== undefined && !isFetching && (
        <div className="failed sms-totals-failed" role="alert">
          <p>{asApiError(error).sentence}</p>
          <Button onClick={() => void refetch()}>Try again</Button>
        </div>
      )}
    </div>
  );
}

function RecentTemplates() {
  const templates = useListSmsTemplatesQuery(recent);
  return (
    <Card title="Recent templates" actions={<ToTab tab="templates">All templates</ToTab>}>
      <QueryView query={templates}>
        {({ templates: rows }) =>
          rows.length === 0 ? (
            <EmptyState title="No templates yet">
              A campaign needs one: the message of its texts, with the link in it.
            </EmptyState>
          ) : (
            <ul className="sms-recent">
              {rows.slice(0, RECENT).map((template) => (
                <RecentTemplate key={template.id} template={template} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </Card>
  );
}

function RecentTemplate({ template }: { template: SmsTemplateView }) {
  const { name, landingPage, messageTemplate, isActive } = template;
  return (
    <li>
      <p className="who">
        <strong>{name}</strong> {!isActive && <Badge>Inactive</Badge>}
      </p>
      <p className="quiet-text">{raffleName(landingPage)}</p>
      <p className="sms-words">{messageTemplate}</p>
    </li>
  );
}

function RecentCampaigns() {
  const campaigns = useListCampaignsQuery(recent);
  const { data, fulfilledTimeStamp = 0 } = campaigns;
  useCampaignsPolling(recent, polled(pollEveryMs(data?.campaigns ?? [], fulfilledTimeStamp)));
  return (
    <Card
      title="Recent campaigns"
      note={timesNote()}
      actions={<ToTab tab="campaigns">All campaigns</ToTab>}
    >
      <QueryView query={campaigns}>
        {({ campaigns: rows }) =>
          rows.length === 0 ? (
            <EmptyState title="No campaigns yet">
              Campaigns you schedule appear here with their results.
            </EmptyState>
          ) : (
            <ul className="sms-recent">
              {rows.slice(0, RECENT).map((campaign) => (
                <RecentCampaign key={campaign.id} campaign={campaign} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </Card>
  );
}

function RecentCampaign({ campaign }: { campaign: CampaignView }) {
  const { id, campaignName, scheduledDate, status } = campaign;
  return (
    <li>
      <p className="who">
        <QueryLink change={{ section: 'sms', tab: 'campaigns', campaign: String(id) }}>
          {campaignName}
        </QueryLink>{' '}
        <StatusBadge status={status} />
      </p>
      <p className="quiet-text">{formatDateTime(scheduledDate)}</p>
      {status === 'sending' && <Progress campaign={campaign} />}
    </li>
  );
}

function ToTab({ tab, children }: { tab: string; children: string }) {
  return <QueryLink change={{ section: 'sms', tab }}>{children}</QueryLink>;
}
