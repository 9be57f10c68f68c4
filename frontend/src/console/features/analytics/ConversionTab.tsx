import { useGetFunnelQuery, type FunnelView, type GetFunnelApiArg } from '../../api/admin';
import { fieldError, filled, useDateRange } from '../../lib/filters';
import { formatCount, formatPercent } from '../../../shared/lib/format';
import { useQueryState } from '../../lib/useQueryState';
import { FunnelBars } from '../../ui/charts/FunnelBars';
import { Card, Figure, Figures } from '../../ui/Card';
import { DateField } from '../../ui/DateField';
import { Field } from '../../ui/Field';
import { RaffleSelect } from '../../ui/RaffleSelect';
import { EmptyState, QueryView } from '../../ui/states';
import { Table, type Column } from '../../ui/Table';
import { percentContinuing, stepsOf, type FunnelStep } from './steps';

export function ConversionTab() {
  const [query, setQuery] = useQueryState();
  const landingPage = query.get('landingPage') ?? '';
  const { startDate, endDate, setRange } = useDateRange();
  const funnel = useGetFunnelQuery(filled<GetFunnelApiArg>({ landingPage, startDate, endDate }));
  return (
    <div className="grid">
      <Card title="Conversion" note="How far visitors' sessions get, from the first page on">
        <div className="filters">
          <Field label="Landing page" error={fieldError(funnel.error, 'landingPage')}>
            {(control) => (
              <RaffleSelect
                {...control}
                none="All landing pages"
                value={landingPage}
                onChange={(event) => setQuery({ landingPage: event.target.value })}
              />
            )}
          </Field>
          <DateField
            label="Start date"
            value={startDate}
            error={fieldError(funnel.error, 'startDate')}
            onChange={(day) => setRange({ startDate: day })}
          />
          <DateField
            label="End date"
            value={endDate}
            error={fieldError(funnel.error, 'endDate')}
            onChange={(day) => setRange({ endDate: day })}
          />
        </div>
        <QueryView query={funnel}>{({ funnel: data }) => <Sessions funnel={data} />}</QueryView>
      </Card>
      {funnel.data && <StepAnalysis funnel={funnel.data.funnel} isStale={!funnel.currentData} />}
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
          A visitor’s first page view is the first step. Choose other dates or all landing pages.
        </EmptyState>
      ) : (
        <FunnelBars title="Sessions at each step" summary={summaryOf(steps)} steps={steps} />
      )}
    </>
  );
}

function summaryOf(steps: FunnelStep[]): string {
  const worst = steps
    .slice(0, -1) // everybody leaves at the last one
    .reduce<FunnelStep | undefined>(
      (most, step) => (step.exits > (most?.exits ?? 0) ? step : most),
      undefined,
    );
  return worst
    ? `More sessions end at ${worst.name} than anywhere else: ${formatCount(worst.exits)}.`
    : 'No session ended before its last step.';
}

function StepAnalysis({ funnel, isStale }: { funnel: FunnelView; isStale: boolean }) {
  const steps = stepsOf(funnel);
  if (steps.length === 0) return null;
  return (
    <Card title="Step analysis" note="Exits are the sessions whose last step it is">
      <div className="query" aria-busy={isStale}>
        <Table
          caption="Count, exits and percent continuing of each step"
          columns={columns}
          rows={steps}
          rowKey={({ key }) => key}
        />
      </div>
    </Card>
  );
}

const columns: Column<FunnelStep>[] = [
  { key: 'step', header: 'Step', cell: ({ name }) => name },
  { key: 'count', header: 'Count', numeric: true, cell: ({ count }) => formatCount(count) },
  { key: 'exits', header: 'Exits', numeric: true, cell: ({ exits }) => formatCount(exits) },
  {
    key: 'continue',
    header: 'Continue',
    numeric: true,
    cell: (step) => formatPercent(percentContinuing(step), 1),
  },
];
