import { formatCount, formatPercent } from '../../../shared/lib/format';
import { ChartFrame } from './ChartFrame';
import { useWidth } from './useWidth';

export interface RatedStep {
  name: string;
  count: number;
  /** In percent; null where there is nothing to be a part of. */
  rate: number | null;
}

interface Props {
  title: string;
  summary: string;
  /** What the rates are of: 'Of those sent'. */
  rateHeader: string;
  rateHelp: string;
  steps: RatedStep[];
}

const HEIGHT = 20;

const inPercent = (rate: number | null) => (rate === null ? '' : formatPercent(rate, 1));

/** A bar for each step, as long as its count, with its rate. */
export function RateBars({ title, summary, rateHeader, rateHelp, steps }: Props) {
  const columns = [
    { key: 'step', header: 'Step', cell: ({ name }: RatedStep) => name },
    {
      key: 'count',
      header: 'Count',
      numeric: true,
      cell: ({ count }: RatedStep) => formatCount(count),
    },
    {
      key: 'rate',
      header: rateHeader,
      help: rateHelp,
      numeric: true,
      cell: ({ rate }: RatedStep) => inPercent(rate),
    },
  ];
  const largest = Math.max(1, ...steps.map(({ count }) => count));
  return (
    <ChartFrame
      title={title}
      summary={summary}
      columns={columns}
      rows={steps}
      rowKey={({ name }) => name}
    >
      <ol className="funnel">
        {steps.map(({ name, count, rate }) => (
          <li key={name}>
            <p className="funnel-label">
              <span>{name}</span>
              <span className="funnel-count">{formatCount(count)}</span>
              <span className="quiet-text">{inPercent(rate)}</span>
            </p>
            <Bar part={count / largest} />
          </li>
        ))}
      </ol>
    </ChartFrame>
  );
}

function Bar({ part }: { part: number }) {
  const [ref, width] = useWidth<HTMLDivElement>();
  return (
    <div className="plot" ref={ref}>
      <svg width={width} height={HEIGHT} aria-hidden="true" focusable="false">
        <rect
          className="bar-fill"
          x={1}
          y={1}
          width={Math.max(0, part * (width - 2))}
          height={HEIGHT - 2}
          rx={3}
        />
      </svg>
    </div>
  );
}
