import type { TrendsView, VelocityView } from '../../api/admin';

/** What the buckets of a chart over time are called, in the site's time zone. */
export function bucketNames({ buckets, unit, timeZone }: TrendsView) {
  const write = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat('en-US', { timeZone, ...options });
    return (bucket: string) => format.format(new Date(bucket));
  };
  const day = write({ month: 'short', day: 'numeric' });
  const fullDay = write({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });
  const hour = write({ hour: 'numeric' });
  const dayAndHour = (bucket: string) => `${day(bucket)}, ${hour(bucket)}`;
  const [first = '', last = ''] = [buckets[0], buckets.at(-1)].map((each) => each && day(each));
  const hourOnAxis = first === last ? hour : dayAndHour;
  const [short, full] = unit === 'hour' ? [hourOnAxis, dayAndHour] : [day, fullDay];
  return {
    points: buckets.map((bucket) => ({ short: short(bucket), full: full(bucket) })),
    span: first === last ? first : `${first} – ${last}`,
  };
}

const units = [
  { seconds: 604_800, word: 'week', letter: 'w' },
  { seconds: 86_400, word: 'day', letter: 'd' },
  { seconds: 3_600, word: 'hour', letter: 'h' },
  { seconds: 60, word: 'minute', letter: 'm' },
  { seconds: 1, word: 'second', letter: 's' },
];

function duration(seconds: number) {
  const unit = units.find((each) => seconds >= each.seconds && seconds % each.seconds === 0);
  const { seconds: size, word, letter } = unit ?? { seconds: 1, word: 'second', letter: 's' };
  const count = seconds / size;
  return { words: `${count} ${word}${count === 1 ? '' : 's'}`, short: `${count}${letter}` };
}

/** The ranges of the velocity histogram: `1 minute to 10 minutes`, `1 week or longer`. */
export function velocityBars(buckets: VelocityView[]) {
  return buckets.map(({ underSeconds, referrers }, index) => {
    const from = duration(buckets[index - 1]?.underSeconds ?? 0);
    const to = duration(underSeconds ?? 0);
    if (underSeconds == null) {
      return { short: `≥${from.short}`, full: `${from.words} or longer`, value: referrers };
    }
    const full = index === 0 ? `Under ${to.words}` : `${from.words} to ${to.words}`;
    return { short: `<${to.short}`, full, value: referrers };
  });
}
