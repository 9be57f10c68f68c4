// A rig of everything that runs in production, on this machine, whose parts fail one after the other under load.
//
//   node scripts/lab/chaos.mjs FOLDER     FOLDER contains the programs, such as target/debug
//
//   FAULT=kill-replica,cut-redis      only these faults; see FAULTS below
//   LONG=1                            each fault lasts 30 s instead of 5 s, and there are more of them
//   KEEP=1                            leaves the folder with all logs
//
// Three servers behind HAProxy, Redis, and two PostgreSQL under Patroni, one the synchronous standby of the other. Visitors
// enter, look at pages and buy, texts are sent, and everything that was acknowledged is compared in the end with the database
// and with what the stand-ins for Stripe and Twilio took. Exit status 1 if anything was lost or doubled, or a server answered
// with another error than 409, 429 and 503. A 502 of buying while Stripe is away says just that, and is counted apart.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Processes, freePorts, stop, until, urlOf } from '../processes.mjs';
import { ADMIN } from './bench/server.mjs';
import { accounts, openPurchases } from './drill/accounts.mjs';
import { asPostgres } from './drill/cluster.mjs';
import { Crowd } from './drill/crowd.mjs';
import { Proxy } from './drill/haproxy.mjs';
import { Databases } from './drill/patroni.mjs';
import { kinds, lines, more, passes } from './drill/report.mjs';
import { TEXTED_PAGE, setUp, siteSettings, standInArguments, startCampaign } from './drill/site.mjs';

process.env.PATH += ':/usr/sbin'; // HAProxy's folder, which is not in everybody's path

const PROGRAMS = resolve(process.argv[2] ?? 'target/debug');
const TOMBOLA = join(PROGRAMS, 'tombola');
const HOLD_SECONDS = process.env.LONG ? 30 : 5;
/** The lease of the sender of texts lasts 4 s (LEASE in crates/flows/usecases/src/send_messages/steps.rs). */
const BEYOND_LEASE_SECONDS = 8;
const REPLICAS = 3;
const RESTART_MS = 1000;
/** The shortest pause between two acknowledged writes that counts: there are about 80 writes a second. */
const PAUSE_MS = 500;
/** Each sign-up queues a welcome text; most are skipped, at the same pace. The rest of the pace is left for campaigns. */
const TEXTS_PER_SECOND = 60;
const CAMPAIGN_TEXTS_PER_SECOND = 30;

const say = (line) => console.log(`chaos: ${line}`);
const hold = (seconds = HOLD_SECONDS) => delay(seconds * 1000);

const FAULTS = {
  'kill-replica': async (rig) => {
    const replica = await rig.sender();
    await rig.stopReplica(replica, 'SIGKILL');
    await hold();
    rig.startReplica(replica);
  },
  'pause-replica': async (rig) => {
    const { child } = await rig.sender();
    child.kill('SIGSTOP');
    await hold(Math.max(HOLD_SECONDS, BEYOND_LEASE_SECONDS));
    child.kill('SIGCONT');
  },
  // Patroni stays, makes the standby the primary, and starts the killed server again as the standby.
  'kill-primary': async (rig) => {
    rig.databases.kill(await rig.databases.waitForPrimary());
    await hold();
  },
  // As if the machine had lost its power. The standby waits until the lease of the primary is over (`ttl`).
  'kill-primary-node': async (rig) => {
    const node = await rig.databases.waitForPrimary();
    rig.databases.killNode(node);
    await Promise.all([hold(), until('the standby took over', () => rig.databases.primary())]);
    rig.databases.startNode(node);
  },
  'cut-redis': async (rig) => {
    await stop(rig.redis);
    await hold();
    rig.startRedis();
  },
  'fill-disk': async (rig) => {
    const primary = await rig.databases.waitForPrimary();
    rig.databases.fill(primary);
    await hold();
    rig.databases.empty(primary);
  },
  'cut-providers': async (rig) => {
    rig.crowd.isProviderAway = true;
    await rig.proxy.cut('stripe', 'twilio');
    await hold();
    await rig.proxy.join('stripe', 'twilio');
    rig.crowd.isProviderAway = false;
  },
  'rolling-restart': async (rig) => {
    for (const replica of rig.replicas) {
      await rig.stopReplica(replica);
      rig.migrate();
      rig.startReplica(replica);
      await rig.settled();
    }
  },
};

/** What only LONG=1 or FAULT runs. */
const LONG_FAULTS = ['kill-primary-node'];

class Rig {
  constructor(folder) {
    this.folder = folder;
    this.processes = new Processes(folder);
    this.databases = new Databases(folder, this.processes);
    /** The numbers of all campaigns. */
    this.numbers = [];
    /** The servers that ended by themselves, with the last line of their logs. */
    this.ended = [];
  }

  async start() {
    const [site, database, redis, stripe, twilio, ...ports] = await freePorts(5 + 2 * REPLICAS);
    Object.assign(this, { origin: `http://127.0.0.1:${site}`, database, redisPort: redis });
    await this.databases.start();
    this.replicas = Array.from({ length: REPLICAS }, (_, n) => ({ name: `server-${n}`, port: ports[2 * n], metrics: ports[2 * n + 1] }));
    await this.#startProviders();
    const providers = { stripe: [stripe, this.stripe], twilio: [twilio, this.twilio] };
    [this.stripeGate, this.twilioGate] = [stripe, twilio].map((port) => `http://127.0.0.1:${port}`);
    this.proxy = new Proxy(this.folder, { site, database, servers: this.replicas.map(({ port }) => port), nodes: this.databases.nodes, providers });
    this.processes.start('haproxy', this.proxy.command);
    this.startRedis();
    await this.#makeRoles();
    await until('HAProxy found the primary', async () => (await this.proxy.up('database')) === 1);
    this.migrate();
    for (const replica of this.replicas) this.startReplica(replica);
    await this.settled();
    Object.assign(this, await setUp({ url: this.origin }, [TEXTED_PAGE, 'garden-bag']));
  }

  async #makeRoles() {
    const { password } = this.databases;
    for (const role of ['tombola_owner', 'tombola_server']) await this.databases.query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
    await this.databases.query("CREATE DATABASE tombola OWNER tombola_owner ENCODING 'UTF8' TEMPLATE template0");
  }

  startRedis() {
    this.redis = this.processes.start('redis', [...asPostgres(), 'redis-server', '--bind', '127.0.0.1', '--port', String(this.redisPort), '--save', '']);
  }

  async #startProviders() {
    for (const [provider, args] of Object.entries(standInArguments(this.origin))) {
      const name = `${provider}-stand-in`;
      this[provider] = await urlOf(this.processes.start(name, [join(PROGRAMS, name), ...args], { output: 'pipe' }));
    }
  }

  #databaseUrl(role) {
    return `postgresql://${role}:${this.databases.password}@127.0.0.1:${this.database}/tombola`;
  }

  /** As `tombola migrate` before a new version is started: with the owner's URL, which the servers do not have. */
  migrate() {
    const env = { PATH: process.env.PATH, DATABASE_URL: this.#databaseUrl('tombola_server'), MIGRATION_DATABASE_URL: this.#databaseUrl('tombola_owner') };
    const { status, stderr } = spawnSync(TOMBOLA, ['migrate'], { env, cwd: '/', encoding: 'utf8' });
    if (status !== 0) throw new Error(`tombola migrate failed: ${stderr}`);
  }

  #settings({ port, metrics }) {
    return {
      PATH: process.env.PATH,
      DATABASE_URL: this.#databaseUrl('tombola_server'),
      REDIS_URL: `redis://127.0.0.1:${this.redisPort}`,
      BIND_ADDR: `127.0.0.1:${port}`,
      ADMIN_USERNAME: ADMIN.username,
      ADMIN_PASSWORD: ADMIN.password,
      ...siteSettings({ origin: this.origin, metrics, stripe: this.stripeGate, twilio: this.twilioGate, textsPerSecond: TEXTS_PER_SECOND }),
    };
  }

  /** A server that ends by itself is started again, as a supervisor does, and counted. */
  startReplica(replica) {
    const child = this.processes.start(replica.name, [TOMBOLA, 'serve'], { env: this.#settings(replica) });
    replica.child = child;
    child.once('exit', () => {
      if (child.isExpected) return;
      this.ended.push(`${replica.name}: ${this.processes.lastLine(replica.name)}`);
      setTimeout(() => replica.child === child && !child.isExpected && this.startReplica(replica), RESTART_MS);
    });
  }

  async stopReplica({ child }, signal) {
    child.isExpected = true;
    await stop(child, signal);
  }

  /** Waits until every part works: all servers write, and the primary has its synchronous standby. */
  async settled() {
    await until('the primary has a synchronous standby', () => this.databases.isComplete());
    await until('all servers can write', async () => (await this.proxy.up('api')) === REPLICAS);
  }

  /** Starts a campaign that lasts as long as a fault and the time until all works again. */
  async startCampaign(name) {
    const count = (HOLD_SECONDS + 5) * CAMPAIGN_TEXTS_PER_SECOND;
    this.numbers.push(...(await startCampaign({ url: this.origin }, this, { name, from: 3_000_000 + this.numbers.length, count })));
  }

  /** The server that sends texts, while some are sent. */
  async sender() {
    const before = await Promise.all(this.replicas.map(handedOver));
    let found;
    await until('a server sends texts', async () => {
      const now = await Promise.all(this.replicas.map(handedOver));
      found = this.replicas[now.findIndex((count, n) => count > before[n])];
      return found !== undefined;
    });
    return found;
  }

  /** The numbers of all texts that the provider took. */
  async texts() {
    const response = await fetch(`${this.twilio}/control/messages?limit=1000000`);
    return (await response.json()).messages.map(({ to }) => to);
  }

  async tookAll(numbers) {
    const taken = new Set(await this.texts());
    return numbers.every((number) => taken.has(number));
  }

  verify() {
    const env = { PATH: process.env.PATH, DATABASE_URL: this.#databaseUrl('tombola_server') };
    const { status, stdout, stderr } = spawnSync(TOMBOLA, ['verify'], { env, cwd: '/', encoding: 'utf8' });
    say(`tombola verify: ${`${stdout}${stderr}`.trim()}`);
    return status === 0;
  }

  async stop() {
    const replicas = (this.replicas ?? []).filter(({ child }) => child);
    await Promise.all(replicas.map((replica) => this.stopReplica(replica, 'SIGINT'))); // without the drain
    await this.databases.stop().finally(() => this.processes.stopAll());
  }
}

async function handedOver({ metrics }) {
  const response = await fetch(`http://127.0.0.1:${metrics}/metrics`).catch(() => undefined);
  const lines = (await response?.text())?.match(/^texts_handed_over_total.* \d+$/gm) ?? [];
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** How long no write was acknowledged, in seconds: all pauses that are longer than any while everything works. */
function pauses(writes, from, to) {
  const times = [from, ...writes.filter((at) => at > from && at < to), to];
  const each = times.slice(1).map((at, n) => at - times[n]);
  return each.filter((pause) => pause > PAUSE_MS).reduce((sum, pause) => sum + pause, 0) / 1000;
}

/** Lets one fault happen and waits until everything works again. Returns its row of the report. */
async function happen(name, rig, crowd) {
  await rig.settled();
  await rig.startCampaign(name);
  const [answers, busy] = [{ ...crowd.answers }, { ...crowd.busy }];
  const from = performance.now();
  say(`${name} …`);
  await FAULTS[name](rig);
  await rig.settled();
  const writes = crowd.writes.length;
  await until('visitors write again', () => crowd.writes.length > writes);
  const without = pauses(crowd.writes, from, performance.now());
  const since = Object.values(more(answers, crowd.answers));
  say(`${name}: ${((performance.now() - from) / 1000).toFixed(1)} s until all works again, ${without.toFixed(1)} s without a write, ${kinds(more(busy, crowd.busy))}`);
  return [name, ...since, without.toFixed(1)];
}

/** Waits for texts and purchases that are still on their way. What does not arrive in time counts as lost. */
async function finish(rig, crowd, expectedTexts) {
  const soon = (what, holds, seconds) => until(what, holds, { seconds }).catch((error) => say(error.message));
  await soon('all texts are sent', () => rig.tookAll(expectedTexts), 180);
  const isCredited = async () => (await openPurchases(rig.databases, crowd)) === 0;
  if (await isCredited()) return;
  // Stripe's event was lost: a server asks about open purchases when it starts, and otherwise after three minutes.
  await rig.stopReplica(rig.replicas[0]);
  rig.startReplica(rig.replicas[0]);
  await soon('all purchases are credited', isCredited, 180);
}

async function run(rig, faults) {
  say('starting PostgreSQL under Patroni, HAProxy, Redis, the stand-ins and three servers');
  await rig.start();
  const crowd = new Crowd(rig.origin, { offer: rig.offer, stripe: rig.stripe });
  rig.crowd = crowd;
  crowd.start();
  const rows = [];
  for (const fault of faults) rows.push(await happen(fault, rig, crowd));
  await crowd.stop();
  const expectedTexts = [...rig.numbers, ...crowd.signUps.filter(({ isTexted }) => isTexted).map(({ phone }) => phone)];
  say('waiting for the last texts and purchases');
  await finish(rig, crowd, expectedTexts);
  const { credits, views, texts } = await accounts(rig.databases, crowd, expectedTexts, await rig.texts());
  const result = { rows, accounts: [...credits, views, texts], crowd, ended: rig.ended, isVerified: rig.verify() };
  console.log(lines(result).join('\n'));
  return passes(result);
}

function chosenFaults(rig) {
  const usual = Object.keys(FAULTS).filter((name) => process.env.LONG || !LONG_FAULTS.includes(name));
  const names = process.env.FAULT ? process.env.FAULT.split(',') : usual;
  const unknown = names.filter((name) => !(name in FAULTS));
  if (unknown.length > 0) throw new Error(`no such fault: ${unknown.join(', ')}. There are ${Object.keys(FAULTS).join(', ')}`);
  if (rig.databases.canFill || !names.includes('fill-disk')) return names;
  say('skipped: fill-disk, because this process may not mount a file system for it');
  return names.filter((name) => name !== 'fill-disk');
}

async function main() {
  const folder = mkdtempSync('/tmp/tombola-chaos-');
  chmodSync(folder, 0o755);
  const rig = new Rig(folder);
  let isStopping;
  const cleanUp = () => (isStopping ??= rig.stop().finally(() => process.env.KEEP || rmSync(folder, { recursive: true, force: true })));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void cleanUp().finally(() => process.exit(130)));
  try {
    const isGood = await run(rig, chosenFaults(rig));
    process.exitCode = isGood ? 0 : 1;
    say(isGood ? 'passed' : 'failed');
  } catch (error) {
    if (!isStopping) console.error(`chaos: ${error.stack}`);
    process.exitCode = 1;
  } finally {
    if (process.env.KEEP) say(`the logs are in ${folder}`);
    await cleanUp();
  }
  process.exit(); // visitors of a run that failed would go on
}

if (!existsSync(TOMBOLA)) throw new Error(`there is no ${TOMBOLA}: make stand-ins`);
await main();
