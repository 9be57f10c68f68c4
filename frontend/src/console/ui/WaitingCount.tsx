import { formatCount } from '../../shared/lib/format';

/** How much waits, beside the name of a screen. Its link or tab says it in words: see `waitingName`. */
export function WaitingCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="waiting-count" aria-hidden="true">
      {formatCount(count)}
    </span>
  );
}

/** `Security, 3 waiting`, to people who hear it. Nothing when the words on the screen say it all. */
export const waitingName = (label: string, count: number) =>
  count > 0 ? { 'aria-label': `${label}, ${formatCount(count)} waiting` } : {};
