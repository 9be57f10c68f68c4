// Fills databases with rows that look like those of the past 90 days of operation.
import { setTimeout as delay } from 'node:timers/promises';
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

/**
 * As `seedViews`, for more views than a rebuild counts within an hour: two connections insert at the same time, and a server folds
 * what they inserted, as in operation. Returns the time that folding took, in milliseconds.
 */
export async function seedManyViews(database, startFolding, { views, perSession = 1 }) {
  const entrants = database.number('SELECT count(*) FROM users');
  let next = 0;
  const insert = async () => {
    while (next < views) {
      const first = next;
      next += CHUNK;
      const last = Math.min(next, views) - 1;
      await database.fileInBackground('seed/views.sql', { days: DAYS, entrants, views, per_session: perSession, first, last });
      if ((last + 1) % (10 * CHUNK) === 0) say(`${whole(last + 1)} views inserted`);
    }
  };
  database.tombola('analytics', 'rebuild');   // counts the entrants, so that only views are left to fold
  await Promise.all([insert(), insert()]);
  settle(database);
  const last = database.number('SELECT max(id) FROM page_views');
  const started = performance.now();
  const stop = await startFolding();
  await foldedUpTo(database, last);
  await stop();
  const took = performance.now() - started;
  settle(database);
  return took;
}

/** Waits until the views up to this id are folded. Throws if a minute passes without progress. */
async function foldedUpTo(database, last) {
  let [folded, since] = [-1, 0];
  while (folded < last) {
    const now = database.number("SELECT last_id FROM analytics_watermarks WHERE source = 'page_views'");
    if (now === folded && performance.now() - since > 60_000) throw new Error(`folding stopped after view ${folded}`);
    if (now !== folded) [folded, since] = [now, performance.now()];
    await delay(1000);
  }
}

/** The referral codes of the first entrants. */
export const referralCodes = ({ sql }, count) => sql(`SELECT referral_code FROM users ORDER BY sequence_number LIMIT ${count}`).split('\n');
