import { formatCount, formatPercent } from '../../../shared/lib/format';
import { ChartFrame } from './ChartFrame';
import { useWidth } from './useWidth';

export interface Step {
  name: string;
  count: number;
  /** How many of them stopped at this step. */
  exits: number;
}

interface Props {
  title: string;
  summary: string;
  steps: Step[];
}

const HEIGHT = 20;

const share = (part: number, whole: number) => (whole === 0 ? 0 : (part / whole) * 100);

/** A bar for each step, as long as its count: the full part continued, the striped part exited. */
export function FunnelBars({ title, summary, steps }: Props) {
  const first = steps[0]?.count ?? 0;
  const columns = [
    { key: 'step', header: 'Step', cell: ({ name }: Step) => name },
    {
      key: 'count',
      header: 'Count',
      help: 'Sessions that took this step.',
      numeric: true,
      cell: ({ count }: Step) => formatCount(count),
    },
    {
      key: 'share',
      header: 'Of the first step',
      help: 'How many sessions this step has for every hundred at the first one.',
      numeric: true,
      cell: ({ count }: Step) => formatPercent(share(count, first), 1),
    },
    {
      key: 'exits',
      header: 'Exited',
      help: 'Sessions that ended at this step.',
      numeric: true,
      cell: ({ exits }: Step) => formatCount(exits),
    },
  ];
  return (
    <ChartFrame
      title={title}
      summary={summary}
      columns={columns}
      rows={steps}
      rowKey={({ name }) => name}
    >
      <ol className="funnel">
        {steps.map((step) => (
          <li key={step.name}>
            <p className="funnel-label">
              <span>{step.name}</span>
              <span className="funnel-count">{formatCount(step.count)}</span>
              <span className="quiet-text">{formatPercent(share(step.count, first), 1)}</span>
            </p>
            <StepBar step={step} largest={Math.max(1, ...steps.map(({ count }) => count))} />
          </li>
        ))}
      </ol>
      <p className="legend-key">
        <svg width="28" height="12" aria-hidden="true">
          <rect className="bar-fill" width="28" height="12" rx="3" />
        </svg>
        continued
        <svg width="28" height="12" aria-hidden="true">
          <Stripes id="stripes-key" />
          <rect className="bar-left" fill="url(#stripes-key)" width="28" height="12" rx="3" />
        </svg>
        exited
      </p>
    </ChartFrame>
  );
}

function StepBar({ step, largest }: { step: Step; largest: number }) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const whole = (step.count / largest) * (width - 2);
  const left = (Math.min(step.exits, step.count) / largest) * (width - 2);
  const id = `stripes-${step.name.replace(/\W/g, '')}`;
  return (
    <div className="plot" ref={ref}>
      <svg width={width} height={HEIGHT} aria-hidden="true" focusable="false">
        <Stripes id={id} />
        <rect
          className="bar-left"
          fill={`url(#${id})`}
          x={1}
          y={1}
          width={whole}
          height={HEIGHT - 2}
          rx={3}
        />
        <rect className="bar-fill" x={1} y={1} width={whole - left} height={HEIGHT - 2} rx={3} />
      </svg>
    </div>
  );
}

function Stripes({ id }: { id: string }) {
  return (
    <defs>
      <pattern
        id={id}
        width="6"
        height="6"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <path className="stripe" d="M0 0V6" />
      </pattern>
    </defs>
  );
}
