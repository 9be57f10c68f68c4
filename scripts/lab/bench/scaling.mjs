// Scaling: what one server and three servers hold behind HAProxy, on a PostgreSQL with a synchronous standby, all on this machine.
// Run by scripts/lab/bench/run.sh.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { Proxy } from '../drill/haproxy.mjs';
import { Databases } from '../drill/patroni.mjs';
import { Processes, stop } from '../drill/processes.mjs';
import { freePorts, until } from '../drill/waiting.mjs';
import { PAGES, VIEW_CONNECTIONS, emptyViews, enter, postViews } from './load.mjs';
import { referralCodes } from './seed.mjs';
import { freePort, hashedPassword, startServer } from './server.mjs';
import { SECONDS, WARM_UP_SECONDS, asMs, asTimes, bench, circumstances, makeDatabase, median, say, table, whole, wrkWithoutErrors } from './tools.mjs';

process.env.PATH += ':/usr/sbin'; // HAProxy's folder, which is not in everybody's path

const COUNTS = [1, 3];
const ROUNDS = 3;
const ENTERING = 64;
const READING = 64;

const loads = {
  'entrants': (database, site) => enter(database, site, ENTERING, SECONDS),
  'page views': (database, site) => postViews(emptyViews(database), site, PAGES, SECONDS),
  'pages read': (_, site) => wrkWithoutErrors(`${site.url}/garden-bag`, 'steady.lua', { connections: READING, seconds: SECONDS, args: [0, 'Accept-Encoding', 'br'] }),
};
const CONNECTIONS = { 'entrants': ENTERING, 'page views': VIEW_CONNECTIONS, 'pages read': READING };

/** Roles as in production, and the variables of the other benchmarks, so that they find this database. */
async function makeRoles(databases, port) {
  const { password } = databases;
  await databases.query(`CREATE ROLE tombola_owner SUPERUSER LOGIN PASSWORD '${password}'`);
  await databases.query(`CREATE ROLE tombola_server LOGIN PASSWORD '${password}'`);
  const url = (role) => `postgresql://${role}:${password}@127.0.0.1:${port}/postgres`;
  process.env.MIGRATION_DATABASE_URL = url('tombola_owner');
  process.env.DATABASE_URL = url('tombola_server');
}

/** This many servers behind an HAProxy of their own. */
async function startSite(folder, processes, databases, count) {
  const [site, database, ...ports] = await freePorts(2 + count);
  const proxy = new Proxy(folder, { site, database, servers: ports, nodes: databases.nodes });
  const child = processes.start(`haproxy-${count}`, proxy.command);
  return { url: `http://127.0.0.1:${site}`, ports, proxy, stop: () => stop(child) };
}

/** What `count` servers hold, each load in turn. */
async function hold(rig, count) {
  const { folder, processes, databases, database } = rig;
  const site = await startSite(folder, processes, databases, count);
  const servers = [];
  try {
    for (const port of site.ports) servers.push(await startServer(database, { ...hashedPassword(), TRUSTED_PROXIES: '127.0.0.1' }, undefined, port));
    await until('HAProxy found the servers', async () => (await site.proxy.up('api')) === count);
    await enter(database, site, ENTERING, WARM_UP_SECONDS);
    database.codes = referralCodes(database, 100);
    const results = {};
    for (const [name, load] of Object.entries(loads)) results[name] = await load(database, site);
    return results;
  } finally {
    for (const server of servers) await server.stop();
    await site.stop();
  }
}

function report(rig, rounds) {
  const rows = Object.keys(loads).map((name) => {
    const of = (count, figure) => median(rounds.map((round) => round[count][name][figure]));
    const [one, three] = COUNTS;
    const ratio = median(rounds.map((round) => round[three][name].rate / round[one][name].rate));
    return [name, CONNECTIONS[name], whole(of(one, 'rate')), asMs(of(one, 'p99')), whole(of(three, 'rate')), asMs(of(three, 'p99')), asTimes(ratio)];
  });
  return [
    '## Scaling',
    '',
    circumstances('scaling', rig.database),
    `One server and three servers behind HAProxy, which share a PostgreSQL with a synchronous standby (Patroni); median of ${ROUNDS} alternating rounds of ${SECONDS} s, the ratio round by round. The servers, HAProxy, both PostgreSQL and \`wrk\` share the machine's cores.`,
    '',
    table(['a second', 'connections', 'one server', 'p99', 'three servers', 'p99', 'ratio'], rows),
  ].join('\n');
}

await bench(async () => {
  const folder = mkdtempSync('/tmp/tombola-scaling-');
  chmodSync(folder, 0o755); // PostgreSQL has a user of its own
  const processes = new Processes(folder);
  const databases = new Databases(folder, processes, { mayFill: false });
  try {
    await databases.start();
    const port = await freePort();
    const unused = await freePorts(2);
    const proxy = new Proxy(folder, { site: unused[0], database: port, servers: [unused[1]], nodes: databases.nodes });
    processes.start('haproxy-database', proxy.command);
    await until('HAProxy found the primary', async () => (await proxy.up('database')) === 1);
    await makeRoles(databases, port);
    const rig = { folder, processes, databases, database: makeDatabase('scaling') };
    const rounds = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      rounds.push({});
      for (const count of COUNTS) rounds.at(-1)[count] = await hold(rig, count);
      const rates = COUNTS.map((count) => Object.entries(rounds.at(-1)[count]).map(([name, { rate }]) => `${whole(rate)} ${name}`).join(', '));
      say(`round ${round}: ${COUNTS.map((count, n) => `${count}: ${rates[n]}`).join('; ')}`);
    }
    console.log(report(rig, rounds));
  } finally {
    await databases.stop().finally(() => processes.stopAll());
    rmSync(folder, { recursive: true, force: true });
  }
});
