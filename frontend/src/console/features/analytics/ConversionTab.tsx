import { useGetFunnelQuery, type FunnelView } from '../../api/admin';
import { today } from '../../../shared/lib/days';
import { formatCount, formatPercent } from '../../../shared/lib/format';
import { raffleKeys, raffleNames } from '../../lib/raffles';
import { useRefreshing } from '../../lib/polled';
import { anyText, useListState } from '../../lib/useListState';
import { FunnelBars } from '../../ui/charts/FunnelBars';
import { Card, Figure, Figures } from '../../ui/Card';
import { DateRangeFields } from '../../ui/DateRangeFields';
import { FilterSelect } from '../../ui/FilterSelect';
import { EmptyState, QueryView } from '../../ui/states';
import type { Column } from '../../ui/Table';
import { WholeList } from '../../ui/WholeList';
import { percentContinuing, placeOf, stepsOf, type FunnelStep } from './steps';

export function ConversionTab() {
  const list = useListState({
    sorts: { step: 'asc', count: 'desc', exits: 'desc', continue: 'desc' },
    filters: { landingPage: raffleKeys(), startDate: anyText, endDate: anyText },
  });
  const query = useGetFunnelQuery(list.filters, useRefreshing());
  const isRefused = query.error !== undefined && query.currentData === undefined;
  const hasSteps = !isRefused && query.data && stepsOf(query.data.funnel).length > 0;
  return (
    <div className="grid">
      <Card title="Conversion" note="How far visitors get in a session">
        <div className="filters">
          <FilterSelect
            label="Landing page"
            name="landingPage"
            all="All landing pages"
            options={raffleNames()}
            list={list}
            error={query.error}
          />
          <DateRangeFields list={list} error={query.error} />
        </div>
        <QueryView query={query}>{({ funnel }) => <Sessions funnel={funnel} />}</QueryView>
      </Card>
      {hasSteps && (
        <WholeList
          title="Step analysis"
          note="Exits are the sessions that ended at this step"
          fileName={`tombola-steps-${today()}.csv`}
          query={query}
          quiet
          rowsOf={({ funnel }) => stepsOf(funnel)}
          list={list}
          empty={null}
          caption="Count, exits and percent continuing of each step"
          columns={columns}
          rowKey={({ key }) => key}
        />
      )}
    </div>
  );
}

function Sessions({ funnel }: { funnel: FunnelView }) {
  const steps = stepsOf(funnel);
  return (
    <>
      <Figures label="Sessions">
        <Figure
          label="Total Sessions"
          value={formatCount(funnel.totalSessions)}
          note="unique visitor sessions"
        />
        <Figure
          label="Avg Time Spent"
          value={`${formatCount(Math.round(funnel.avgTimeSpent))}s`}
          note="on all pages of a session"
        />
        <Figure label="Conversion Steps" value={formatCount(steps.length)} note="tracked steps" />
      </Figures>
      {steps.length === 0 ? (
        <EmptyState title="No steps on these days">
          A visitor's first page view is the first step. Choose other dates or all landing pages.
        </EmptyState>
      ) : (
        <FunnelBars title="Sessions at each step" summary={summaryOf(steps)} steps={steps} />
      )}
    </>
  );
}

function summaryOf(steps: FunnelStep[]): string {
  const worst = steps
    .slice(0, -1) // every session ends somewhere, most at the last step
    .reduce<FunnelStep | undefined>(
      (most, step) => (step.exits > (most?.exits ?? 0) ? step : most),
      undefined,
    );
  return worst
    ? `More sessions end at ${worst.name} than anywhere else: ${formatCount(worst.exits)}.`
    : 'No session ended before its last step.';
}

const columns: Column<FunnelStep>[] = [
  {
    key: 'step',
    header: 'Step',
    sort: 'step',
    value: ({ name }) => name,
    sortValue: ({ key }) => placeOf(key),
    cell: ({ name }) => name,
  },
  {
    key: 'count',
    header: 'Count',
    numeric: true,
    sort: 'count',
    help: 'Sessions that took this step at least once. A session counts on the day on which it began.',
    value: ({ count }) => count,
    cell: ({ count }) => formatCount(count),
  },
  {
    key: 'exits',
    header: 'Exits',
    numeric: true,
    sort: 'exits',
    help: 'Sessions whose last step was this one.',
    value: ({ exits }) => exits,
    cell: ({ exits }) => formatCount(exits),
  },
  {
    key: 'continue',
    header: 'Continue',
    numeric: true,
    sort: 'continue',
    help: 'The share of sessions at this step that took another step later: count minus exits, divided by count.',
    value: (step) => toOneDecimal(percentContinuing(step)),
    cell: (step) => formatPercent(percentContinuing(step), 1),
  },
];

const toOneDecimal = (percent: number) => Math.round(percent * 10) / 10;
