import { formatCount } from '../../../shared/lib/format';
import { ChartFrame } from './ChartFrame';
import { useWidth } from './useWidth';

export interface Bar {
  /** Under the bar; in full in the table. */
  short: string;
  full: string;
  value: number;
}

interface Props {
  title: string;
  summary: string;
  /** What is counted, for the table: 'Referrers'. */
  unit: string;
  /** What the bars stand over: 'Time to first referral'. */
  axis: string;
  bars: Bar[];
}

const HEIGHT = 180;
const TOP = 20;
const BOTTOM = 22;

/** Bars side by side, each with its value over it. */
export function Histogram({ title, summary, unit, axis, bars }: Props) {
  const columns = [
    { key: 'range', header: axis, cell: ({ full }: Bar) => full },
    {
      key: 'value',
      header: unit,
      numeric: true,
      cell: ({ value }: Bar) => formatCount(value),
    },
  ];
  return (
    <ChartFrame
      title={title}
      summary={summary}
      columns={columns}
      rows={bars}
      rowKey={({ full }) => full}
    >
      <Bars bars={bars} />
    </ChartFrame>
  );
}

function Bars({ bars }: { bars: Bar[] }) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const largest = Math.max(1, ...bars.map(({ value }) => value));
  const step = width / Math.max(1, bars.length);
  const gap = Math.min(12, step * 0.2);
  return (
    <div className="plot" ref={ref}>
      <svg width={width} height={HEIGHT} aria-hidden="true" focusable="false">
        {bars.map(({ short, value }, index) => {
          const height = (value / largest) * (HEIGHT - TOP - BOTTOM);
          const middle = (index + 0.5) * step;
          const top = HEIGHT - BOTTOM - height;
          return (
            <g key={short}>
              <rect
                className="bar-fill"
                x={index * step + gap / 2}
                y={top}
                width={step - gap}
                height={height}
                rx={Math.min(3, height)}
              />
              <text className="bar-value" x={middle} y={top - 6} textAnchor="middle">
                {formatCount(value)}
              </text>
              <text className="axis" x={middle} y={HEIGHT - 6} textAnchor="middle">
                {short}
              </text>
            </g>
          );
        })}
        <path className="rule" d={`M0 ${HEIGHT - BOTTOM}H${width}`} />
      </svg>
    </div>
  );
}
