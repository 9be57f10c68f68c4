// Fills databases with rows as the program would have written them in the past 90 days.
import { whole, say } from './tools.mjs';

const DAYS = 90;
const CHUNK = 1_000_000;

const settle = ({ sql }) => sql('VACUUM (ANALYZE)', 'CHECKPOINT');

/** Entrants, and of every ten four who came through a friend's link, and five shares. */
export function seedEntrants(database, { entrants }) {
  database.file('seed/entrants.sql', { days: DAYS, entrants });
  settle(database);
}

/** Entrants of one raffle, whatever brought them, with what they hold. */
export function seedRaffle(database, { entrants }) {
  database.file('seed/raffle.sql', { days: DAYS, entrants });
  settle(database);
}

/**
 * Views, so many for each session, and all roll-ups. Every third view carries an entrant's code, few people's most often.
 * Gives the time that the roll-ups took, in milliseconds.
 */
export function seedViews(database, { views, perSession = 1 }) {
  const entrants = database.number('SELECT count(*) FROM users');
  for (let first = 0; first < views; first += CHUNK) {
    const last = Math.min(first + CHUNK, views) - 1;
    database.file('seed/views.sql', { days: DAYS, entrants, views, per_session: perSession, first, last });
    if ((last + 1) % (10 * CHUNK) === 0) say(`${whole(last + 1)} views are made`);
  }
  const started = performance.now();
  database.tombola('analytics', 'rebuild');
  const took = performance.now() - started;
  settle(database);
  return took;
}

/** Some entrants' codes. */
export const referralCodes = ({ sql }, count) => sql(`SELECT referral_code FROM users ORDER BY id LIMIT ${count}`).split('\n');
