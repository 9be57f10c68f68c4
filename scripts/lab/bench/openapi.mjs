// The API description: the response times of visitors while others ask for it without a pause, compared with the same number
// of requests that do nothing. Run by scripts/lab/bench/run.sh.
import { call, startServer } from './server.mjs';
import { SECONDS, WARM_UP_SECONDS, asMs, asTimes, atMost, bench, circumstances, makeDatabase, median, say, table, whole, wrkWithoutErrors } from './tools.mjs';

const ROUNDS = 3;
const VISITORS = { connections: 4, pause: 20 };
const FLOOD = { connections: 32, pause: 0 };
const TARGET = 2;
const floods = { idle: undefined, floor: '/healthz', description: '/api/openapi.json' };

const ask = (server, path, { connections, pause }, { seconds, headers = [] }) =>
  wrkWithoutErrors(server.url + path, 'steady.lua', { connections, seconds, threads: 1, args: [pause, ...headers] });

/** Asks as a visitor while others ask for `path`, if there is one, compressed as browsers do. */
async function measure(server, user, path) {
  const headers = ['Accept-Encoding', 'br, gzip'];
  const flood = path && ask(server, path, FLOOD, { seconds: SECONDS + WARM_UP_SECONDS, headers });
  const visitors = await ask(server, `/api/users/${user}/stats`, VISITORS, { seconds: SECONDS });
  return { ...visitors, flood: (await flood)?.rate ?? 0 };
}

async function compare(server) {
  const { user } = await call(server, '/api/users/register', { body: { phoneNumber: '5551234567' } });
  await measure(server, user.id);
  const rounds = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const times = {};
    for (const [name, path] of Object.entries(floods)) times[name] = await measure(server, user.id, path);
    rounds.push(times);
    say(`round ${round}: p50 ${Object.entries(times).map(([name, { p50 }]) => `${name} ${asMs(p50)}`).join(', ')}`);
  }
  return rounds;
}

function print(database, rounds) {
  const of = (name, figure) => median(rounds.map((round) => round[name][figure]));
  const row = (what, name) => [what, whole(of(name, 'flood')), asMs(of(name, 'p50')), asMs(of(name, 'p99'))];
  const ratio = median(rounds.map(({ floor, description }) => description.p50 / floor.p50));
  return [
    '## The API description',
    '',
    circumstances('openapi', database),
    `\`GET /api/users/{id}/stats\` over ${VISITORS.connections} connections, each ${VISITORS.pause} ms after its last answer, alone, while ${FLOOD.connections} connections ask for \`/healthz\` without a pause, and while they ask for \`/api/openapi.json\`, without its limit of requests; median of ${ROUNDS} rounds of ${SECONDS} s, the ratio round by round.`,
    '',
    table(['visitors', 'other requests/s', 'p50', 'p99'], [row('alone', 'idle'), row('beside `/healthz`', 'floor'), row('beside the description', 'description')]),
    table(['figure', 'measured', 'target', ''], [atMost('p50 beside the description, of p50 beside `/healthz`', ratio, TARGET, asTimes)]),
  ].join('\n');
}

await bench(async () => {
  const database = makeDatabase('openapi');
  const server = await startServer(database);
  try {
    console.log(print(database, await compare(server)));
  } finally {
    await server.stop();
  }
  database.drop();
});
