import { useNow } from './stages';

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
  const parts = [Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60, seconds % 60];
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return days ? `${days} ${days === 1 ? 'day' : 'days'} ${clock}` : clock;
}
