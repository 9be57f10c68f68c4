import type { UserStats } from './api';

const number = new Intl.NumberFormat('en-US');

/** The three tiles, each a ticket. Before the figures are there, a bar keeps their place. */
export function StatTickets({ stats }: { stats: UserStats | undefined }) {
  const tiles = [
    { label: 'Total Entries', value: stats && (stats.totalEntries ?? 1) },
    { label: 'Friends Referred', value: stats && (stats.referralCount ?? 0) },
    { label: 'Bonus Entries', value: stats && (stats.paidEntries ?? 0) },
  ];
  return (
    <dl className="tiles" aria-busy={!stats}>
      {tiles.map(({ label, value }) => (
        <div className="tile" key={label}>
          <dt>{label}</dt>
          <dd className="figure">{value !== undefined && number.format(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Says that a flagged sign-up earned nothing for now. */
export function OnHold({ stats }: { stats: UserStats | undefined }) {
  const entries = stats?.entriesOnHold ?? 0;
  if (entries < 1) return null;
  return (
    <p role="status" className="note on-hold">
      {entries === 1
        ? 'One entry is on hold while we check a sign-up.'
        : `${number.format(entries)} entries are on hold while we check sign-ups.`}
    </p>
  );
}
