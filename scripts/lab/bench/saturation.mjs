// Saturation: the response times of visitors while every thread of the console waits in the database and the SMS provider
// sends 1,000 delivery reports at once, again and again. Run by scripts/lab/bench/run.sh.
import { createHmac } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { signIn, startServer } from './server.mjs';
import { SECONDS, WARM_UP_SECONDS, asMs, asTimes, atMost, bench, circumstances, makeDatabase, median, say, table, whole, wrk, wrkWithoutErrors } from './tools.mjs';

const ROUNDS = 3;
const VISITORS = { connections: 16, pause: 20 };
const STAFF = 16;                                          // more than the console has threads
const CALLBACKS = { connections: 1_000, pause: 5_000 };    // all at the start, then about 200 a second
const TARGET = 2;
const TWILIO = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: '0'.repeat(32), TWILIO_PHONE_NUMBER: '+15005550006', TWILIO_API_BASE: 'http://127.0.0.1:9' };
const ORIGIN = 'http://localhost:8080';

const visit = (server, user, seconds) =>
  wrkWithoutErrors(`${server.url}/api/users/${user}/stats`, 'steady.lua', { connections: VISITORS.connections, seconds, args: [VISITORS.pause] });

async function enter(server) {
  const body = JSON.stringify({ phoneNumber: '5551234567' });
  const response = await fetch(`${server.url}/api/users/register`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  return (await response.json()).user.id;
}

/** A session that locks a table, so that whatever reads it waits until `release` is called. */
async function lock({ url }, name) {
  const psql = spawn('psql', ['-XqAt', url], { stdio: ['pipe', 'pipe', 'inherit'] });
  psql.stdin.write(`BEGIN; LOCK TABLE ${name}; SELECT 'locked';\n`);
  await once(psql.stdout, 'data');
  return async () => {
    psql.stdin.end('ROLLBACK;\n');
    await once(psql, 'exit');
  };
}

/** Lets staff wait for the audit log until `hasEnded`. Each call is canceled at its deadline, and made again. */
async function keepStaffWaiting(server, token, hasEnded, signal) {
  const answers = {};
  const ask = async () => {
    while (!hasEnded()) {
      const response = await fetch(`${server.url}/api/admin/audit-log`, { headers: { Authorization: `Bearer ${token}` }, signal }).catch(() => undefined);
      await response?.arrayBuffer().catch(() => undefined);
      const status = response?.status ?? 'ended';
      answers[status] = (answers[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: STAFF }, ask));
  return answers;
}

async function report(server, seconds) {
  const path = '/api/twilio/status?text=1';
  const parameters = { MessageSid: `SM${'0'.repeat(32)}`, MessageStatus: 'delivered' };
  const signed = ORIGIN + path + Object.keys(parameters).sort().map((name) => name + parameters[name]).join('');
  const signature = createHmac('sha1', TWILIO.TWILIO_AUTH_TOKEN).update(signed).digest('base64');
  const args = [CALLBACKS.pause, signature, new URLSearchParams(parameters).toString(), CALLBACKS.connections];
  const result = await wrk(server.url + path, 'callbacks.lua', { connections: CALLBACKS.connections, seconds, threads: 1, args });
  return { ...result, statuses: statusesOf(result.output) };
}

/** How many answers had each status. */
const statusesOf = (output) => Object.fromEntries([...output.matchAll(/^status (\d+) (\d+)$/gm)].map(([, status, count]) => [status, Number(count)]));

/** For example "200: 2,300, 503: 12". */
const asList = (statuses) => Object.entries(statuses).map(([status, count]) => `${status}: ${whole(count)}`).join(', ');

async function saturated(database, server, token, user) {
  const release = await lock(database, 'admin_audit_log');
  const stop = new AbortController();
  let hasEnded = false;
  const staff = keepStaffWaiting(server, token, () => hasEnded, stop.signal);
  const stuck = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'tombola' AND wait_event_type = 'Lock'";
  while (database.number(stuck) < 4) await new Promise((resolve) => setTimeout(resolve, 50));
  const reports = report(server, SECONDS + WARM_UP_SECONDS);
  const visitors = await visit(server, user, SECONDS);
  const stillStuck = database.number(stuck);
  const callbacks = await reports;
  hasEnded = true;
  stop.abort();
  await release();
  await staff;
  if (stillStuck < 4) throw new Error(`only ${stillStuck} threads of the console were stuck`);
  return { visitors, callbacks };
}

async function compare(database, server) {
  const user = await enter(server);
  const token = await signIn(server);
  await visit(server, user, WARM_UP_SECONDS);
  const rounds = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const quiet = await visit(server, user, SECONDS);
    const { visitors, callbacks } = await saturated(database, server, token, user);
    rounds.push({ quiet, visitors, callbacks });
    say(`round ${round}: p99 quiet ${asMs(quiet.p99)}, saturated ${asMs(visitors.p99)}; callbacks ${asList(callbacks.statuses)}; ${callbacks.broken} without an answer`);
  }
  return rounds;
}

function print(database, rounds) {
  const of = (who, figure) => median(rounds.map((round) => round[who][figure]));
  const row = (what, who) => [what, whole(of(who, 'rate')), asMs(of(who, 'p50')), asMs(of(who, 'p99'))];
  const ratio = median(rounds.map(({ quiet, visitors }) => visitors.p99 / quiet.p99));
  return [
    '## Saturation',
    '',
    circumstances('saturation', database),
    `\`GET /api/users/{id}/stats\` over ${VISITORS.connections} connections, each ${VISITORS.pause} ms after its last answer, alone, and while ${STAFF} calls of the console wait for a locked table and ${whole(CALLBACKS.connections)} connections send signed delivery reports, all of them at once and then each again after ${whole(CALLBACKS.pause)} ms; median of ${ROUNDS} rounds of ${SECONDS} s, the ratio round by round. Everything runs on the one machine.`,
    '',
    table(['', 'calls/s', 'p50', 'p99'], [row('visitors alone', 'quiet'), row('visitors, saturated', 'visitors'), row('delivery reports', 'callbacks')]),
    table(['figure', 'measured', 'target', ''], [atMost('p99 of visitors, of p99 alone', ratio, TARGET, asTimes)]),
  ].join('\n');
}

await bench(async () => {
  const database = makeDatabase('saturation');
  const server = await startServer(database, { ...TWILIO, PUBLIC_ORIGIN: ORIGIN });
  try {
    console.log(print(database, await compare(database, server)));
  } finally {
    await server.stop();
  }
  database.drop();
});
