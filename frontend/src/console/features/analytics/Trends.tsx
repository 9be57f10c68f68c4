import { useGetTrendsQuery, type TrendsView } from '../../api/admin';
import { useRefreshing } from '../../lib/polled';
import { formatCount, inWords } from '../../../shared/lib/format';
import { timeZoneWords } from '../../lib/timeZoneWords';
import { anyText, useListState } from '../../lib/useListState';
import { LineChart } from '../../ui/charts/LineChart';
import { series as looks } from '../../ui/charts/series';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { DateRangeFields } from '../../ui/DateRangeFields';
import { EmptyState, QueryView } from '../../ui/states';
import { bucketNames } from './buckets';
import { presets } from './presets';

/** Views and sign-ups over time, a line for each raffle while there are looks for them. */
export function Trends() {
  const range = useListState({ filters: { startDate: anyText, endDate: anyText } });
  const { startDate = '', endDate = '' } = range.filters;
  const trends = useGetTrendsQuery(range.filters, useRefreshing());
  return (
    <Card title="Views and sign-ups over time" note={<TimeZone trends={trends.data} />}>
      <div className="filters">
        <div className="presets" role="group" aria-label="Range">
          {presets().map(({ label, ...preset }) => (
            <Button
              key={label}
              aria-pressed={preset.startDate === startDate && preset.endDate === endDate}
              onClick={() => range.filter(preset)}
            >
              {label}
            </Button>
          ))}
        </div>
        <DateRangeFields list={range} error={trends.error} />
      </div>
      <QueryView query={trends}>
        {(data) => <TrendCharts trends={data} until={trends.fulfilledTimeStamp ?? Infinity} />}
      </QueryView>
    </Card>
  );
}

function TimeZone({ trends }: { trends: TrendsView | undefined }) {
  if (!trends) return null;
  return (
    <>
      By the {trends.unit}, in {timeZoneWords(trends.timeZone)}
    </>
  );
}

interface ChartsProps {
  trends: TrendsView;
  /** When they were asked for: a bucket that begins later says nothing yet. */
  until: number;
}

function TrendCharts({ trends, until }: ChartsProps) {
  const { points, span } = bucketNames(trends);
  const raffles = begun(trends, until);
  const { apart, others } = linesOfTheirOwn(raffles);
  const linesOf = (measure: Measure) => raffles.map((raffle) => lineOf(raffle, measure));
  const shown = (measure: Measure) => [
    ...apart.map((raffle) => lineOf(raffle, measure)),
    ...(others.length > 0 ? [{ name: 'All others', values: added(others, measure) }] : []),
  ];
  const views = linesOf('views');
  const signUps = linesOf('signUps');
  if (total(views) + total(signUps) === 0) {
    return (
      <EmptyState title="No views or sign-ups on these days">
        Views and sign-ups appear here seconds after they happen. Choose other dates to look further
        back.
      </EmptyState>
    );
  }
  return (
    <div className="grid charts" data-columns="2">
      <LineChart
        title="Page views"
        summary={inOneSentence(views, 'view')}
        {...{ span, points }}
        lines={shown('views')}
        inTable={views}
      />
      <LineChart
        title="Sign-ups"
        summary={inOneSentence(signUps, 'sign-up')}
        {...{ span, points }}
        lines={shown('signUps')}
        inTable={signUps}
      />
    </div>
  );
}

type Series = TrendsView['raffles'][number];
type Measure = 'views' | 'signUps';

/** The raffles without the buckets that are yet to come. */
function begun({ buckets, raffles }: TrendsView, until: number): Series[] {
  const count = Math.max(1, buckets.filter((start) => Date.parse(start) <= until).length);
  return raffles.map((raffle) => ({
    ...raffle,
    views: raffle.views.slice(0, count),
    signUps: raffle.signUps.slice(0, count),
  }));
}

/** The raffles with the most views, in the order of all, and those that share a line because there are no more looks for them. */
function linesOfTheirOwn(raffles: Series[]): { apart: Series[]; others: Series[] } {
  if (raffles.length <= looks.length) return { apart: raffles, others: [] };
  const byViews = [...raffles].sort((a, b) => sumOf(b.views) - sumOf(a.views));
  const most = new Set(byViews.slice(0, looks.length - 1));
  return {
    apart: raffles.filter((raffle) => most.has(raffle)),
    others: raffles.filter((raffle) => !most.has(raffle)),
  };
}

const lineOf = (raffle: Series, measure: Measure) => ({
  name: inWords(raffle.landingPage),
  values: raffle[measure],
});

const added = (raffles: Series[], measure: Measure) =>
  (raffles[0]?.[measure] ?? []).map((_, at) =>
    sumOf(raffles.map((raffle) => raffle[measure][at] ?? 0)),
  );

type Lines = { name: string; values: number[] }[];

const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0);
const total = (lines: Lines) => sumOf(lines.map(({ values }) => sumOf(values)));

/** `38,400 views, the most for Garden Bag.` */
function inOneSentence(lines: Lines, noun: string): string {
  const all = total(lines);
  if (all === 0) return `No ${noun}s on these days.`;
  const [most] = [...lines].sort((a, b) => sumOf(b.values) - sumOf(a.values));
  return `${formatCount(all)} ${noun}${all === 1 ? '' : 's'}, the most for ${most?.name}.`;
}
