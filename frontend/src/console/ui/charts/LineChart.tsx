import { useState, type PointerEvent } from 'react';
import { formatCount } from '../../../shared/lib/format';
import { ChartFrame } from './ChartFrame';
import { labelled, short, ticksUpTo } from './scale';
import { Marker, series as looks } from './series';
import { useWidth } from './useWidth';

export interface Line {
  name: string;
  /** For the first points: those that follow are yet to come. */
  values: number[];
}

interface Props {
  title: string;
  summary: string;
  /** What the values over the legend are while no point is looked at: 'Nov 1 – Nov 30'. */
  span: string;
  /** At most as many as there are looks: they have to stay apart without their hues. */
  lines: Line[];
  /** What the table has, if that is more. */
  inTable?: Line[];
  /** A name for each point, in short for the axis and in full. */
  points: { short: string; full: string }[];
}

const HEIGHT = 200;
const TOP = 8;
const BOTTOM = 24;
const LEFT = 40;
const RIGHT = 10;

/** A few lines over time; hue, dash and marker tell them apart, and the legend says their values. */
export function LineChart({ title, summary, span, lines, inTable = lines, points }: Props) {
  const [chosen, setChosen] = useState<number>();
  const known = Math.min(points.length, Math.max(1, ...lines.map(({ values }) => values.length)));
  const at = chosen !== undefined && chosen < known ? chosen : undefined;
  const rows = points.slice(0, known).map((point, index) => ({ point, index }));
  const columns = [
    { key: 'time', header: 'Time', time: true, cell: ({ point }: Row) => point.full },
    ...inTable.map((line) => ({
      key: line.name,
      header: line.name,
      numeric: true,
      cell: ({ index }: Row) => formatCount(line.values[index] ?? 0),
    })),
  ];
  return (
    <ChartFrame
      title={title}
      summary={summary}
      columns={columns}
      rows={rows}
      rowKey={({ index }) => index}
    >
      <Legend lines={lines} at={at} when={at === undefined ? span : points[at]?.full} />
      <Plot {...{ title, lines, points, known, at }} onChoose={setChosen} />
    </ChartFrame>
  );
}

interface Row {
  point: Props['points'][number];
  index: number;
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

interface LegendProps {
  lines: Line[];
  at: number | undefined;
  when: string | undefined;
}

function Legend({ lines, at, when }: LegendProps) {
  return (
    <div className="legend">
      <p className="legend-when">{when}</p>
      <ul>
        {lines.map(({ name, values }, index) => (
          <li key={name}>
            <svg className={`swatch series-${index + 1}`} viewBox="0 0 28 12" aria-hidden="true">
              <path className="line" d="M1 6h26" strokeDasharray={looks[index]?.dash} />
              <Marker kind={looks[index]?.marker} x={14} y={6} />
            </svg>
            <span className="legend-name">{name}</span>
            <span className="legend-value">
              {formatCount(at === undefined ? sum(values) : (values[at] ?? 0))}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface PlotProps {
  title: string;
  lines: Line[];
  points: Props['points'];
  /** How many of the points have values. */
  known: number;
  at: number | undefined;
  onChoose: (index: number | undefined) => void;
}

function Plot({ title, lines, points, known, at, onChoose }: PlotProps) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const last = Math.max(1, points.length - 1);
  // Half as wide again as its text: the last label ends under its point, the others are centered.
  const labelWidth = 12 + 10.5 * Math.max(0, ...points.map(({ short }) => short.length));
  const ticks = ticksUpTo(Math.max(0, ...lines.flatMap(({ values }) => values)));
  const x = (index: number) => LEFT + (index / last) * (width - LEFT - RIGHT);
  const y = (value: number) =>
    HEIGHT - BOTTOM - (value / (ticks.at(-1) ?? 1)) * (HEIGHT - TOP - BOTTOM);

  const look = (event: PointerEvent<HTMLElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - left - LEFT) / (width - LEFT - RIGHT);
    onChoose(Math.min(known - 1, Math.max(0, Math.round(share * last))));
  };

  // A finger that is lifted leaves too, and its owner has yet to read what it pointed at.
  const leave = ({ pointerType }: PointerEvent) => {
    if (pointerType === 'mouse') onChoose(undefined);
  };

  return (
    <div
      className="plot"
      ref={ref}
      onPointerDown={look}
      onPointerMove={look}
      onPointerLeave={leave}
    >
      <svg width={width} height={HEIGHT} aria-hidden="true" focusable="false">
        {ticks.map((tick) => (
          <g key={tick}>
            <path className="rule" d={`M${LEFT} ${y(tick)}H${width - RIGHT}`} />
            <text className="axis" x={LEFT - 8} y={y(tick) + 4} textAnchor="end">
              {short(tick)}
            </text>
          </g>
        ))}
        {labelled(points.length, Math.floor((width - LEFT) / labelWidth)).map((index) => (
          <text
            key={index}
            className="axis"
            x={x(index)}
            y={HEIGHT - 6}
            textAnchor={anchorOf(index, last)}
          >
            {points[index]?.short}
          </text>
        ))}
        {at !== undefined && (
          <path className="crosshair" d={`M${x(at)} ${TOP}V${HEIGHT - BOTTOM}`} />
        )}
        {lines.map(({ name, values }, index) => (
          <g key={name} className={`series-${index + 1}`}>
            <path
              className="line"
              d={values.map((value, i) => `${i ? 'L' : 'M'}${x(i)} ${y(value)}`).join('')}
              strokeDasharray={looks[index]?.dash}
            />
            {/* Markers now and then, staggered, so that lines that cross stay apart. */}
            {values.map((value, i) =>
              i === at || (i + index * 2) % 8 === 0 || values.length === 1 ? (
                <Marker key={i} kind={looks[index]?.marker} x={x(i)} y={y(value)} />
              ) : null,
            )}
          </g>
        ))}
      </svg>
      {/* The same with the keyboard: arrows move along the points, and each says its values. */}
      <input
        type="range"
        className="scrubber"
        aria-label={`${title}: look at one point in time`}
        aria-valuetext={pointInWords(lines, points, at ?? known - 1)}
        min={0}
        max={known - 1}
        value={at ?? known - 1}
        onChange={(event) => onChoose(Number(event.target.value))}
        onFocus={() => onChoose(at ?? known - 1)}
        onBlur={() => onChoose(undefined)}
      />
    </div>
  );
}

function anchorOf(index: number, last: number) {
  if (index === last) return 'end';
  return index === 0 ? 'start' : 'middle';
}

function pointInWords(lines: Line[], points: Props['points'], at: number): string {
  const values = lines.map(({ name, values }) => `${name} ${formatCount(values[at] ?? 0)}`);
  return `${points[at]?.full ?? ''}: ${values.join(', ')}`;
}
