// Login flood: the response times of visitors during a password-guessing attack. Run by scripts/lab/bench/run.sh.
import { startServer } from './server.mjs';
import { SECONDS, WARM_UP_SECONDS, asMs, asTimes, atMost, bench, circumstances, makeDatabase, median, say, table, whole, wrk, wrkWithoutErrors } from './tools.mjs';

const ROUNDS = 3;
const VISITORS = { connections: 32, pause: 20 };          // a busy site: about 1,500 requests per second
const ATTACKERS = { connections: 64, pause: 100 };        // many times more than the server can check
const TARGET = 2;

/** Requests an entrant's figures, as pages do. */
const visit = (server, user, seconds) =>
  wrkWithoutErrors(`${server.url}/api/users/${user}/stats`, 'steady.lua', { connections: VISITORS.connections, seconds, args: [VISITORS.pause] });

/** Signs in with wrong passwords. Every answer is an error; only some of the passwords were checked. */
async function attack(server, seconds) {
  const flood = { connections: ATTACKERS.connections, seconds, threads: 1, args: [ATTACKERS.pause] };
  const result = await wrk(`${server.url}/api/admin/login`, 'login-flood.lua', flood);
  const checked = Number(/^checked (\d+)$/m.exec(result.output)[1]);
  if (result.errors < result.answered || result.broken > 0) throw new Error(`not all of ${result.answered} wrong logins were rejected`);
  if (checked === 0) throw new Error('no wrong password was checked');
  return { rate: result.rate, checked: checked / seconds };
}

async function enter(server) {
  const body = JSON.stringify({ phoneNumber: '5551234567' });
  const response = await fetch(`${server.url}/api/users/register`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  const { user } = await response.json();
  return user.id;
}

/** The attack starts before the visitors and ends after them. */
async function underAttack(server, user) {
  const attacking = attack(server, SECONDS + 2 * WARM_UP_SECONDS);
  await visit(server, user, WARM_UP_SECONDS);
  const visitors = await visit(server, user, SECONDS);
  return { visitors, attackers: await attacking };
}

async function compare(server) {
  const user = await enter(server);
  await visit(server, user, WARM_UP_SECONDS);
  const rounds = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const alone = await visit(server, user, SECONDS);
    const { visitors, attackers } = await underAttack(server, user);
    rounds.push({ alone, visitors, attackers });
    say(`round ${round}: p99 alone ${asMs(alone.p99)}, under attack ${asMs(visitors.p99)}, ${whole(attackers.rate)} wrong logins/s, ${whole(attackers.checked)} of them checked`);
  }
  return rounds;
}

function report(database, rounds) {
  const of = (who, figure) => median(rounds.map((round) => round[who][figure]));
  const row = (what, who) => [what, whole(of(who, 'rate')), asMs(of(who, 'p50')), asMs(of(who, 'p99'))];
  const ratio = median(rounds.map(({ alone, visitors }) => visitors.p99 / alone.p99));
  return [
    '## Login flood',
    '',
    circumstances('login-flood', database),
    `\`GET /api/users/{id}/stats\` over ${VISITORS.connections} connections, each ${VISITORS.pause} ms after its last answer, alone and while ${ATTACKERS.connections} others try wrong passwords, each again after ${ATTACKERS.pause} ms, without limits by address; median of ${ROUNDS} rounds of ${SECONDS} s, the ratio round by round. Everything runs on the one machine.`,
    '',
    table(['', 'calls/s', 'p50', 'p99'], [row('visitors alone', 'alone'), row('visitors under attack', 'visitors')]),
    `Of ${whole(of('attackers', 'rate'))} wrong logins a second ${whole(of('attackers', 'checked'))} were checked, the others turned away.`,
    '',
    table(['figure', 'measured', 'target', ''], [atMost('p99 under attack, of p99 alone', ratio, TARGET, asTimes)]),
  ].join('\n');
}

await bench(async () => {
  const database = makeDatabase('login_flood');
  const server = await startServer(database);
  try {
    console.log(report(database, await compare(server)));
  } finally {
    await server.stop();
  }
  database.drop();
});
