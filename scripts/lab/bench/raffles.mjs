// Raffles made by staff: what 50 cost beside the four that a database begins with (a start, memory, compressing the pages,
// entering), and how long it takes until pages show what staff have done, on the server that did it and on a second one.
import { setTimeout as delay } from 'node:timers/promises';
import { enter } from './load.mjs';
import { call, hashedPassword, signIn, startServer, withServer } from './server.mjs';
import { SECONDS, WARM_UP_SECONDS, asMb, asMs, asTimes, atMost, bench, circumstances, inTurn, makeDatabase, median, section, table, whole } from './tools.mjs';

const FOUR = ['garden-bag', 'fresh-sips', 'kitchen-garden', 'sustainable-living'];
const RAFFLES = 50;                             // as many can be open at once
const ROUNDS = 5;
const CHANGES = 10;                             // of each kind
const CONNECTIONS = 32;
const LIMIT = { compressMs: 5000, shownMs: 2000 };
const LAST = `made-${RAFFLES}`;

/** A raffle like one of the four, with words of its own. */
async function makeRaffle(api, n) {
  const path = `/api/admin/raffles/made-${n}`;
  const { draft } = await api(`/api/admin/raffles/${FOUR[n % FOUR.length]}/copy`, { newKey: `made-${n}` });
  const saved = await api(`${path}/draft`, { revision: draft.revision, content: { ...draft.content, title: `Win prize ${n}` } }, 'PUT');
  await api(`${path}/publish`, { revision: saved.revision, hash: saved.hash });
  await api(`${path}/open`, {});
}

/** Calls the API as the administrator. */
async function administrator(server) {
  const token = await signIn(server);
  return (path, body, method = 'POST') => call(server, path, { token, body, method });
}

async function makeRaffles(database) {
  await withServer(database, {}, async (server) => {
    const api = await administrator(server);
    for (let n = FOUR.length + 1; n <= RAFFLES; n += 1) await makeRaffle(api, n);
  });
}

/** Starts a server and waits until it has compressed its pages. */
async function startOnce(database) {
  const server = await startServer(database, hashedPassword());
  const { resident } = server.memory();
  await server.stop();
  return { start: server.startMs, resident, compressing: server.restMs };
}

async function startInTurn(databases) {
  const rounds = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    const round = {};
    for (const [name, database] of n % 2 ? Object.entries(databases).toReversed() : Object.entries(databases)) round[name] = await startOnce(database);
    rounds.push(round);
  }
  return {
    of: (name, figure) => median(rounds.map((round) => round[name][figure])),
    ratio: (figure) => median(rounds.map(({ four, fifty }) => fifty[figure] / four[figure])),
  };
}

/** New entrants a second, with each number of raffles. */
const enterInTurn = (databases) =>
  inTurn(ROUNDS, Object.fromEntries(Object.entries(databases).map(([name, database]) => [name, () =>
    withServer(database, hashedPassword(), async (server) => {
      await enter(database, server, CONNECTIONS, WARM_UP_SECONDS);
      return enter(database, server, CONNECTIONS, SECONDS);
    })])));

/** How long from now until a page has this text, in milliseconds. */
async function shownAfter(server, path, text, started) {
  const page = async () => (await fetch(server.url + path, { headers: { Connection: 'close', 'Accept-Encoding': 'br' } })).text();
  while (!(await page()).includes(text)) {
    if (performance.now() - started > 30_000) throw new Error(`${path} does not show “${text}”`);
    await delay(10);
  }
  return performance.now() - started;
}

/** A change, from before it is sent until both servers show it. */
async function change(servers, text, work) {
  const started = performance.now();
  await work();
  return Promise.all(servers.map((server) => shownAfter(server, `/${LAST}`, text, started)));
}

/** A publication, closing and opening, as often as CHANGES says. */
async function changes(servers) {
  const api = await administrator(servers[0]);
  const path = `/api/admin/raffles/${LAST}`;
  const publish = async (title) => {
    const { draft } = await api(path, undefined, 'GET');
    const saved = await api(`${path}/draft`, { revision: draft.revision, content: { ...draft.content, title } }, 'PUT');
    return change(servers, title, () => api(`${path}/publish`, { revision: saved.revision, hash: saved.hash }));
  };
  const took = { publication: [], closing: [], opening: [] };
  for (let n = 1; n <= CHANGES; n += 1) {
    took.publication.push(await publish(`Win it, round ${n}`));
    took.closing.push(await change(servers, 'This raffle has ended', () => api(`${path}/close`, { now: true, reason: 'For the benchmark' })));
    took.opening.push(await change(servers, 'Phone number', () => api(`${path}/open`, {})));
  }
  return took;
}

async function changesOnTwo(database) {
  const [first, second] = [await startServer(database, hashedPassword()), await startServer(database, hashedPassword())];
  try {
    return await changes([first, second]);
  } finally {
    await Promise.all([first.stop(), second.stop()]);
  }
}

const changeRow = ([what, took]) => {
  const [first, second] = [0, 1].map((server) => took.map((times) => times[server]));
  return [what, asMs(median(first)), asMs(median(second)), ...atMost('', Math.max(...first, ...second), LIMIT.shownMs, asMs).slice(1)];
};

function report(database, { starts: { of, ratio }, entering, took }) {
  const costs = [['start to ready', 'start', asMs], ['memory idle, resident', 'resident', asMb], ['processor time from then until idle', 'compressing', asMs]];
  return section(
    'Raffles',
    circumstances('raffles', database),
    `Four raffles and ${RAFFLES}, all open: median of ${ROUNDS} alternating rounds, the ratio round by round. The time until both of two servers show a change, of ${CHANGES} of each kind with ${RAFFLES} raffles, includes the call.`,
    table(
      ['', 'four', `${RAFFLES}`, 'ratio'],
      [
        ...costs.map(([what, figure, unit]) => [what, unit(of('four', figure)), unit(of('fifty', figure)), asTimes(ratio(figure))]),
        [`entrants a second, ${CONNECTIONS} connections`, whole(entering.of('four', 'rate')), whole(entering.of('fifty', 'rate')), asTimes(entering.ratio('fifty', 'four'))],
      ],
    ),
    table(['figure', 'measured', 'target', ''], [atMost(`processor time, ${RAFFLES} raffles`, of('fifty', 'compressing'), LIMIT.compressMs, asMs)]),
    table(['change', 'shown by the server that made it', 'by the second', 'the slowest', 'target', ''], Object.entries(took).map(changeRow)),
  );
}

await bench(async () => {
  const databases = { four: makeDatabase('four_raffles'), fifty: makeDatabase('fifty_raffles') };
  await makeRaffles(databases.fifty);
  const starts = await startInTurn(databases);
  const took = await changesOnTwo(databases.fifty);
  const entering = await enterInTurn(databases);
  console.log(report(databases.fifty, { starts, took, entering }));
  for (const database of Object.values(databases)) database.drop();
});
