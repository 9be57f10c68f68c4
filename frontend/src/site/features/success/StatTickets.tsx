import type { UserStats } from './api';
import { grouped, inFigures } from './inFigures';

/**
 * The three tiles, each a ticket, and where the entries come from. Before the figures are there, a bar keeps their place.
 */
export function StatTickets({ stats }: { stats: UserStats | undefined }) {
  const { total, friends, bonus, fromFriends, free, bought } = stats ? inFigures(stats) : {};
  const tiles = [
    { label: 'Total Entries', value: total },
    { label: 'Friends Referred', value: friends },
    { label: 'Bonus Entries', value: bonus },
  ];
  return (
    <>
      <dl className="tiles">
        {tiles.map(({ label, value }, index) => (
          <div className="tile" key={label}>
            <dt>{label}</dt>
            <dd className="figure" data-part={`tile-${index}`}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <p className="note sources" data-part="sources">
        1 sign-up
        {[fromFriends, free, bought].map((part, index) => (
          <span key={index}>{part}</span>
        ))}
      </p>
    </>
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
        : `${grouped(entries)} entries are on hold while we check sign-ups.`}
    </p>
  );
}
