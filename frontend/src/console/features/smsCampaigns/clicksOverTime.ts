import type { ClicksInHourView } from '../../api/sms';

const HOUR_MS = 3_600_000;
/** Up to here there is a point for each hour, then for each day. */
const HOURS_SHOWN = 48;

/** The points of a chart: the hours or days from the start of a campaign, those without clicks included. */
export function clicksOverTime(clicks: ClicksInHourView[], startedAt: string, timeZone: string) {
  const writer = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat('en-US', { timeZone, ...options });
    return (moment: Date) => format.format(moment);
  };
  const last = Math.max(0, ...clicks.map(({ hour }) => hour));
  const unit = last < HOURS_SHOWN ? 'hour' : 'day';
  const hours = unit === 'hour' ? 1 : 24;
  const values = Array<number>(Math.floor(last / hours) + 1).fill(0);
  for (const { hour, clicked } of clicks) {
    const at = Math.floor(hour / hours);
    values[at] = (values[at] ?? 0) + clicked;
  }
  const day = writer({ month: 'short', day: 'numeric' });
  const dayAndHour = writer({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });
  const hour = writer({ hour: 'numeric' });
  const points = values.map((_, index) => {
    const from = new Date(Date.parse(startedAt) + index * hours * HOUR_MS);
    return { short: unit === 'hour' ? hour(from) : day(from), full: `From ${dayAndHour(from)}` };
  });
  const end = new Date(Date.parse(startedAt) + values.length * hours * HOUR_MS);
  const [first, until] = [day(new Date(startedAt)), day(end)];
  return { unit, values, points, span: first === until ? first : `${first} – ${until}` };
}
