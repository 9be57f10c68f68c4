import {
  useFindCampaignResultsQuery,
  type CampaignResultsView,
  type CampaignStepView,
  type CampaignView,
} from '../../api/sms';
import { countOf, formatCount } from '../../../shared/lib/format';
import { siteTimeZone } from '../../../shared/lib/nextDrawing';
import { polled, REFRESH_MS } from '../../lib/polled';
import { timesNote } from '../../lib/timeZoneWords';
import { Card } from '../../ui/Card';
import { LineChart } from '../../ui/charts/LineChart';
import { RateBars } from '../../ui/charts/RateBars';
import { EmptyState, QueryView } from '../../ui/states';
import { clicksOverTime } from './clicksOverTime';

/** What came of a campaign: its text and cost, its funnel, and its clicks over time. */
export function Results({ campaign }: { campaign: CampaignView }) {
  const { id, startedAt } = campaign;
  const results = useFindCampaignResultsQuery({ id }, polled(startedAt ? REFRESH_MS : undefined));
  return (
    <>
      <Card
        title={startedAt ? 'Text as it was sent' : 'Text as it would be sent'}
        note="To one recipient; each has a link of their own"
      >
        <QueryView query={results}>
          {(found) => <Text results={found} isSent={startedAt !== null} />}
        </QueryView>
      </Card>
      {startedAt && (
        <div className="grid" data-columns="2">
          <Card title="What came of it" note="Rates are of those sent">
            <QueryView query={results} quiet>
              {(found) => <Funnel results={found} />}
            </QueryView>
          </Card>
          <Card title="Clicks over time" note={timesNote()}>
            <QueryView query={results} quiet>
              {(found) => <Clicks results={found} startedAt={startedAt} />}
            </QueryView>
          </Card>
        </div>
      )}
    </>
  );
}

function Text({ results, isSent }: { results: CampaignResultsView; isSent: boolean }) {
  const { text, encoding, segments, totalSegments } = results;
  return (
    <div className="sms-preview">
      <p className="sms-bubble">{text}</p>
      <p className="quiet-text">
        {countOf(segments, 'segment')} per text, in {encoding}.
        {isSent && ` All texts took ${countOf(totalSegments, 'segment')}.`}
      </p>
    </div>
  );
}

const stepNames: Record<CampaignStepView, string> = {
  recipients: 'Recipients',
  sent: 'Sent',
  delivered: 'Delivered',
  clicked: 'Clicked',
  shared: 'Shared',
  referred: 'Referred a friend',
  bought: 'Bought',
};

function Funnel({ results: { funnel, days } }: { results: CampaignResultsView }) {
  const counts = new Map(funnel.map(({ step, count }) => [step, count]));
  const [sent, bought] = [counts.get('sent') ?? 0, counts.get('bought') ?? 0];
  return (
    <RateBars
      title="From the text to what people did"
      summary={`${formatCount(bought)} of ${countOf(sent, 'person', 'people')} to whom it was sent bought entries. The last three steps count what people did in the ${days} days after their text, whether they opened the link or not.`}
      rateHeader="Rate"
      rateHelp="Of the texts that were sent, in percent; for Sent, of the recipients."
      steps={funnel.map(({ step, count, rate }) => ({ name: stepNames[step], count, rate }))}
    />
  );
}

interface ClicksProps {
  results: CampaignResultsView;
  startedAt: string;
}

function Clicks({ results: { clicks, days }, startedAt }: ClicksProps) {
  const total = clicks.reduce((sum, { clicked }) => sum + clicked, 0);
  if (total === 0) {
    return (
      <EmptyState title="No clicks yet">
        Clicks of the first {days} days appear here seconds after they happen.
      </EmptyState>
    );
  }
  const { unit, values, points, span } = clicksOverTime(clicks, startedAt, siteTimeZone());
  return (
    <LineChart
      title={`Links opened, by the ${unit}`}
      summary={`${countOf(total, 'link')} opened in the first ${days} days.`}
      {...{ span, points }}
      lines={[{ name: 'Clicks', values }]}
    />
  );
}
