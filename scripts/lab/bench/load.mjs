// The load that several benchmarks put on a server, with a check that what it acknowledged is stored.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { call } from './server.mjs';
import { wrkWithoutErrors } from './tools.mjs';

/** Of the United States: the server refuses numbers of other countries. */
export const AREA_CODES = [201, 205, 212, 303, 312, 404, 415, 503, 617, 702];
let measurements = 0;

/** The phone number from which the next measurement counts, without +1. */
function nextBase() {
  measurements += 1;
  return AREA_CODES[measurements % AREA_CODES.length] * 10_000_000;
}

/** Empties the tables and runs a checkpoint. The replica role bypasses the trigger that protects the ledger. */
export function emptyEntrants({ sql }) {
  sql('SET session_replication_role = replica', 'TRUNCATE users, referrals, entry_ledger, user_consent CASCADE', 'CHECKPOINT');
  return nextBase();
}

/** Enters new phone numbers. */
export async function enter(database, server, connections, seconds) {
  const result = await wrkWithoutErrors(`${server.url}/api/users/register`, 'entering.lua', { connections, seconds, args: [emptyEntrants(database)] });
  const stored = database.number('SELECT count(*) FROM users');   // an answer with status 200 (already entered) stores nothing
  if (stored < result.answered) throw new Error(`only ${stored} entrants were stored for ${result.answered} answers`);
  return result;
}

/** Enters new phone numbers beside those that are there, with pauses of this average in milliseconds. */
export const enterSlowly = (server, { connections, pause }, seconds) =>
  wrkWithoutErrors(`${server.url}/api/users/register`, 'entering.lua', { connections, seconds, threads: 1, args: [nextBase(), pause] });

export const VIEW_CONNECTIONS = 256;
export const PAGES = ['garden-bag', 'fresh-sips', 'kitchen-garden', 'sustainable-living'];
export const NOT_STORED = ['admin-dashboard'];  // accepted and parsed, but not stored; as long as the average page name

let rounds = 0;

/** Removes all views. */
export function emptyViews(database) {
  database.sql('TRUNCATE page_views, page_view_times, conversion_funnel');
  return database;
}

/** Posts views and checks that all acknowledged views are stored, or none if the pages are NOT_STORED. */
export async function postViews(database, server, pages, seconds) {
  database.sql('CHECKPOINT');
  const before = database.number('SELECT coalesce(max(id), 0) FROM page_views');
  rounds += 1;
  const args = [rounds, pages.join(','), ...database.codes];
  const result = await wrkWithoutErrors(`${server.url}/api/analytics/page-view`, 'page-views.lua', { connections: VIEW_CONNECTIONS, seconds, args });
  const stored = database.number(`SELECT count(*) FROM page_views WHERE id > ${before}`);
  const proven = pages === NOT_STORED ? stored === 0 : stored >= result.answered;
  if (!proven) throw new Error(`${stored} views are stored, ${result.answered} were acknowledged`);
  return result;
}

/** Performs a drawing of the raffle that `seedRaffle` fills, and waits for its answer. */
export const perform = (server, token) =>
  call(server, '/api/admin/drawing/perform', { token, body: { landingPage: 'garden-bag' }, headers: { 'Idempotency-Key': randomUUID() } });

/** Waits until the lists of all drawings are stored: the server does that in the background, after each drawing. */
export async function published({ number }) {
  while (number('SELECT count(*) FROM drawing_seals WHERE drawing_id NOT IN (SELECT drawing_id FROM drawing_lists)') > 0) await delay(500);
}
