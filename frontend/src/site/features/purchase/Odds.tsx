import { countOf, formatCount } from '../../../shared/lib/format';
import { useGetOddsQuery, type Odds as Figures } from './api';

/** The entrant's chance in the next drawing, in one line. */
export function Odds({ userId }: { userId: number }) {
  const { data } = useGetOddsQuery({ id: userId });
  // Keeps its line, so that nothing moves when the figures come.
  return <p className="odds">{data ? inWords(data) : '\u00a0'}</p>;
}

export function inWords({ entries, totalEntries, probability }: Figures): string {
  if (entries === 0) return 'Your entries take no part in the drawing while they are on hold.';
  const share = `${formatCount(entries)} of ${countOf(totalEntries, 'entry', 'entries')}`;
  return `Your odds now: ${chance(probability)} (${share}).`;
}

/** 1 in 334; above a half in percent, because 1 in 1 would promise too much. */
function chance(probability: number): string {
  if (probability > 0.5) return `${Math.floor(probability * 100)}%`;
  return `1 in ${formatCount(Math.round(1 / probability))}`;
}
