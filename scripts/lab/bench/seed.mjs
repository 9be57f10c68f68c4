// Fills databases with rows that look like those of the past 90 days of operation.
import { whole, say } from './tools.mjs';

const DAYS = 90;
const CHUNK = 1_000_000;

/** Leaves nothing to do for autovacuum. */
export const settle = ({ sql }) => sql('VACUUM (ANALYZE)', 'CHECKPOINT');

/** Entrants; for every ten of them four came through a friend's link, and there are five shares. */
export function seedEntrants(database, { entrants }) {
  database.file('seed/entrants.sql', { days: DAYS, entrants });
  settle(database);
}

/** Entrants of one raffle with their entries, without referrals. */
export function seedRaffle(database, { entrants }) {
  database.file('seed/raffle.sql', { days: DAYS, entrants });
  settle(database);
}

/**
 * Views, `perSession` for each session, and all roll-ups. Every third view has the code of an entrant; a few codes are much
 * more frequent than the others. Returns the time that the roll-ups took, in milliseconds.
 */
export function seedViews(database, { views, perSession = 1 }) {
  const entrants = database.number('SELECT count(*) FROM users');
  for (let first = 0; first < views; first += CHUNK) {
    const last = Math.min(first + CHUNK, views) - 1;
    database.file('seed/views.sql', { days: DAYS, entrants, views, per_session: perSession, first, last });
    if ((last + 1) % (10 * CHUNK) === 0) say(`${whole(last + 1)} views inserted`);
  }
  const started = performance.now();
  database.tombola('analytics', 'rebuild');
  const took = performance.now() - started;
  settle(database);
  return took;
}

/** The referral codes of the first entrants. */
export const referralCodes = ({ sql }, count) => sql(`SELECT referral_code FROM users ORDER BY sequence_number LIMIT ${count}`).split('\n');
