import { useNow } from './stages';
import { countOf } from './words';

/** Days, hours, minutes and seconds until a moment: `1 day 02:03:04`. */
export function Countdown({ until }: { until: number }) {
  const seconds = Math.max(0, Math.ceil((until - useNow(until, 1_000)) / 1_000));
  return (
    <span role="timer" className="countdown">
      {inClock(seconds)}
    </span>
  );
}

function inClock(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const clock = new Date(seconds * 1_000).toISOString().slice(11, 19);
  return days ? `${countOf(days, 'day', 'days')} ${clock}` : clock;
}
