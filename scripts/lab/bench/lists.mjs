// Downloading the list of a drawing: made for each request, and stored. Run by scripts/lab/bench/run.sh.
import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { seedRaffle } from './seed.mjs';
import { call, signIn, startServer } from './server.mjs';
import { asMb, asTimes, atLeast, atMost, bench, circumstances, makeDatabase, median, say, table, timed, whole } from './tools.mjs';

const ENTRANTS = Number(process.env.BENCH_ENTRANTS ?? 300_000);
const CONNECTIONS = 8;
const ROUNDS = 5;
const LISTS = 24;                               // in each round
const RAFFLE = 'garden-bag';
const TARGET = { cheaper: 10, memoryMb: 32 };
const TICKS = 100;                              // a second, of the times in /proc

const perform = (server, token) =>
  call(server, '/api/admin/drawing/perform', { token, body: { landingPage: RAFFLE }, headers: { 'Idempotency-Key': randomUUID() } });

/** The processor time of a process in seconds: user and system. */
function processorSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Downloads a list, and returns how many bytes were sent. The body is dropped as it arrives. */
async function download(url, encoding) {
  const request = get(url, { agent: false, headers: { 'Accept-Encoding': encoding } });
  const [response] = await once(request, 'response');
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`);
  let bytes = 0;
  response.on('data', (data) => (bytes += data.length));
  await once(response, 'end');
  return { bytes, encoding: response.headers['content-encoding'] ?? 'identity' };
}

/** Each connection downloads one list after the other, until all of the round are downloaded. */
async function round(server, url, encoding) {
  const before = { memory: server.memory().resident, processor: processorSeconds(server.pid) };
  server.forgetPeak();
  let [left, bytes] = [LISTS, 0];
  const reader = async () => {
    while (left > 0) {
      left -= 1;
      const downloaded = await download(url, encoding);
      if (downloaded.encoding !== encoding) throw new Error(`${url}: ${downloaded.encoding} instead of ${encoding}`);
      bytes += downloaded.bytes;
    }
  };
  const ms = await timed(() => Promise.all(Array.from({ length: CONNECTIONS }, reader)));
  return {
    lists: LISTS / (ms / 1000),
    megabytes: bytes / 1e6 / (ms / 1000),
    size: bytes / LISTS / 1e6,
    processor: (processorSeconds(server.pid) - before.processor) / LISTS,
    growth: server.memory().peak - before.memory,
  };
}

async function rounds(server, url, encoding, name) {
  await download(url, encoding);
  const all = [];
  for (let n = 1; n <= ROUNDS; n += 1) {
    all.push(await round(server, url, encoding));
    say(`${name}, round ${n}: ${all.at(-1).lists.toFixed(1)} lists/s, ${all.at(-1).processor.toFixed(3)} s each, memory +${asMb(all.at(-1).growth)}`);
  }
  const of = (figure) => median(all.map((one) => one[figure]));
  return { name, lists: of('lists'), megabytes: of('megabytes'), size: of('size'), processor: of('processor'), growth: Math.max(...all.map((one) => one.growth)) };
}

/** Keeps the publisher from storing parts; a table lock does not stop readers. Returns what ends it. */
async function holdPublisher({ url }) {
  const psql = spawn('psql', ['-XqAt', '-v', 'ON_ERROR_STOP=1', url], { stdio: ['pipe', 'pipe', 2] });
  psql.stdin.write("BEGIN; LOCK TABLE drawing_list_parts IN SHARE ROW EXCLUSIVE MODE; SELECT 'held';\n");
  await once(psql.stdout, 'data');
  return async () => {
    psql.stdin.end();
    await once(psql, 'exit');
  };
}

async function measure() {
  const database = makeDatabase('lists');
  say(`inserting ${whole(ENTRANTS)} entrants`);
  seedRaffle(database, { entrants: ENTRANTS });
  const server = await startServer(database);
  try {
    const token = await signIn(server);
    const release = await holdPublisher(database);
    const { id, totalParticipants } = await perform(server, token);
    const url = `${server.url}/api/drawings/${id}/entrants`;
    const made = await rounds(server, url, 'identity', 'made for each request');
    const processor = processorSeconds(server.pid);
    await release();
    const publishMs = await timed(async () => {
      while (database.number('SELECT count(*) FROM drawing_lists') === 0) await delay(20);
    });
    const publishProcessor = processorSeconds(server.pid) - processor;
    const plain = await rounds(server, url, 'identity', 'stored, as CSV');
    const gzip = await rounds(server, url, 'gzip', 'stored, as gzip');
    return { entrants: totalParticipants, made, plain, gzip, publishMs, publishProcessor, circumstances: circumstances('lists', database) };
  } finally {
    await server.stop();
    database.drop();
  }
}

function report({ entrants, made, plain, gzip, publishMs, publishProcessor, circumstances: when }) {
  const row = (of) => [of.name, asMb(of.size), of.lists.toFixed(1), of.megabytes.toFixed(0), of.processor.toFixed(3), asMb(of.growth)];
  return [
    '## Lists of drawings',
    '',
    when,
    `${CONNECTIONS} connections download the whole list of ${whole(entrants)} entrants, ${LISTS} times in each round; median of ${ROUNDS} rounds, the memory of the worst. Processor time is that of the server for one list, without PostgreSQL. While a list is made for each request, a lock keeps the server from storing the list. Storing it took ${(publishMs / 1000).toFixed(1)} s and ${publishProcessor.toFixed(2)} s of processor time on a server without requests. Everything runs on the one machine.`,
    '',
    table(['list', 'sent', 'lists/s', 'MB/s', 'processor, s', 'memory, growth'], [made, plain, gzip].map(row)),
    table(
      ['figure', 'measured', 'target', ''],
      [
        atLeast('processor time, made for each request of stored as gzip', made.processor / gzip.processor, TARGET.cheaper, asTimes),
        atMost('memory during downloads of the stored list, growth', Math.max(plain.growth, gzip.growth), TARGET.memoryMb, asMb),
      ],
    ),
  ].join('\n');
}

await bench(async () => console.log(report(await measure())));
