// A soak: one server at half of its capacity for an hour, on a durable PostgreSQL, with everything that happens on a site: visitors
// who look, enter, share and buy, welcome texts and campaigns with their delivery reports, and a console that is open. It shows
// whether the memory, the response times, the connections and the queues stay as they are. Run by `make soak`.
//
//   SOAK_MINUTES=60      how long, after a minute in which the capacity is measured
//
// Fails if an answer was an error other than a documented 409 or 429, if a figure grew (scripts/lab/soak/verdict.mjs), or if
// `tombola verify` finds anything wrong in the end.
import { execFile } from 'node:child_process';
import { freePorts, until } from '../processes.mjs';
import { TEXTED_PAGE, setUp, siteSettings, standInArguments, startCampaign } from './drill/site.mjs';
import { call, hashedPassword, start, startServer } from './bench/server.mjs';
import { asMb, asMs, bench, circumstances, makeDatabase, median, say, section, table, verdict, whole } from './bench/tools.mjs';
import { every, loadAtPace, loadFully } from './soak/load.mjs';
import { Recorder } from './soak/recorder.mjs';
import { compare, wrongErrors } from './soak/verdict.mjs';
import { PAGES, Visitors, connect, send } from './soak/visitors.mjs';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 60);
const CAPACITY_SECONDS = 60;
const WARM_UP_SECONDS = 5;
const LOAD = 0.5;
/** Of figures: three in each quarter. */
const ROWS = 12;
const ROW_SECONDS = (MINUTES * 60) / ROWS;
const SAMPLE_SECONDS = 5;
/** At most 60 welcome texts are sent in a minute. */
const WELCOME_SECONDS = 1.5;
const CAMPAIGN_SECONDS = Math.min(300, (MINUTES * 60) / 4);
const CAMPAIGN_TEXTS = 1000;
const DASHBOARD_SECONDS = 2;
const LIST_SECONDS = 3;
const LISTS = ['people?limit=50', 'flagged-users', 'sms/campaigns', 'audit-log', 'analytics/funnel', 'analytics/trends', 'waiting', 'drawing/stats'];
/** Each sign-up queues a welcome text. Those of raffles without one are skipped at this pace, which must exceed that of sign-ups. */
const TEXTS_PER_SECOND = 200;

/** The server and its stand-ins. Their ports are chosen before, because each has to know the other's. */
async function startSite(database, started) {
  const [site, metrics, stripe, twilio] = await freePorts(4);
  const origin = `http://127.0.0.1:${site}`;
  const args = standInArguments(origin);
  const standIn = async (name, port, health, args) => {
    const command = [`target/release/${name}`, '--listen', `127.0.0.1:${port}`, ...args];
    started.push(await start(command, health, () => ({}), port));
    return started.at(-1).url;
  };
  const providers = {
    stripe: await standIn('stripe-stand-in', stripe, '/control/intents', args.stripe),
    twilio: await standIn('twilio-stand-in', twilio, '/control/messages?limit=0', ['--unchecked', ...args.twilio]),
  };
  const settings = { ...hashedPassword(), ...siteSettings({ origin, metrics, ...providers, textsPerSecond: TEXTS_PER_SECOND }) };
  const server = await startServer(database, settings, undefined, site);
  started.push(server);
  return { ...providers, server, metrics: `http://127.0.0.1:${metrics}/metrics` };
}

class Soak {
  constructor(database, site, { token, template, offer }) {
    Object.assign(this, { database, site, token, template });
    /** What happened since the last row, and in all rows together. */
    this.recorder = new Recorder();
    this.all = new Recorder();
    this.client = connect(site.server.url);
    this.stripe = connect(site.stripe);
    this.visitors = new Visitors({ site: this.client, stripe: this.stripe, offer, recorder: () => this.recorder });
    this.campaigns = 0;
    this.looks = 0;
    this.rows = [];
  }

  async run() {
    await loadFully(this.visitors, WARM_UP_SECONDS);
    const capacity = await loadFully(this.visitors, CAPACITY_SECONDS);
    say(`capacity: ${whole(capacity)} requests/s`);
    const { errors } = this.recorder;
    this.recorder = new Recorder();
    await this.#runAtPace(capacity * LOAD);
    for (const [error, count] of Object.entries(errors)) this.all.failed(error, count);
    return capacity;
  }

  async #runAtPace(rate) {
    this.started = performance.now();
    const isOver = () => this.rows.length === ROWS;
    await Promise.all([
      loadAtPace(this.visitors, rate, isOver),
      every(WELCOME_SECONDS, isOver, () => this.visitors.enterForText()),
      every(CAMPAIGN_SECONDS, isOver, () => this.#startCampaign()),
      every(DASHBOARD_SECONDS, isOver, () => this.#look('analytics/dashboard')),
      every(LIST_SECONDS, isOver, () => this.#look(LISTS[this.looks++ % LISTS.length])),
      this.#measure(),
    ]);
  }

  /** One that fails is an error of the run. */
  async #startCampaign() {
    const n = this.campaigns++;
    const campaign = { name: `soak-${n}`, from: 3_000_000 + n * CAMPAIGN_TEXTS, count: CAMPAIGN_TEXTS };
    await startCampaign(this.site.server, this, campaign).catch((error) => this.recorder.failed(`no campaign: ${error.message}`));
  }

  #look(path) {
    return send(this.client, this.recorder, 'console', 'GET', `/api/admin/${path}`, { headers: { Authorization: `Bearer ${this.token}` } });
  }

  /** Fills the rows. The queues are looked at more often, because they are empty most of the time. */
  async #measure() {
    while (this.rows.length < ROWS) {
      const ends = this.started + (this.rows.length + 1) * ROW_SECONDS * 1000;
      const from = performance.now();
      const processorMs = this.site.server.processorMs();
      const samples = [];
      await every(SAMPLE_SECONDS, () => performance.now() >= ends, () => this.#sampleInto(samples));
      const recorder = this.recorder;
      this.recorder = new Recorder();
      const spent = { seconds: (performance.now() - from) / 1000, processorMs: this.site.server.processorMs() - processorMs };
      this.rows.push(await this.#row(recorder, samples, spent));
      this.all.add(recorder);
      say(`minute ${cells(this.rows.at(-1)).join(', ')}`);
    }
  }

  /** One that fails is an error of the run, but does not end it. */
  async #sampleInto(samples) {
    try {
      samples.push(await this.#sample());
    } catch (error) {
      this.recorder.failed(`no sample: ${error.cause?.code ?? error.message}`);
    }
  }

  async #sample() {
    const [status, metrics] = await Promise.all([
      call(this.site.server, '/api/admin/sms/status', { token: this.token }),
      fetch(this.site.metrics, { headers: { Connection: 'close' } }).then((response) => response.text()),
    ]);
    const lengths = metrics.match(/^request_queue_length\{.*\} \d+$/gm) ?? [];
    return { texts: status.waiting, requests: lengths.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0), memory: this.site.server.memory().resident };
  }

  async #row(recorder, samples, { seconds, processorMs }) {
    const of = (figure) => samples.map((sample) => sample[figure]);
    const { count, p50, p99 } = recorder.all;
    return {
      minutes: (performance.now() - this.started) / 60_000,
      rate: count / seconds,
      errors: recorder.errors,
      p50,
      p99,
      memory: median(of('memory')),
      processorUs: (processorMs * 1000) / count,
      connections: await this.#connections(),
      textsWaiting: median(of('texts')),
      mostTextsWaiting: Math.max(...of('texts')),
      requestsWaiting: median(of('requests')),
      mostRequestsWaiting: Math.max(...of('requests')),
    };
  }

  /** The program's connections to its database, without the one that asks. */
  #connections() {
    const query = 'SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
    return new Promise((done, failed) => {
      execFile('psql', ['-XqAt', '-c', query, this.database.url], (error, output) => (error ? failed(error) : done(Number(output))));
    });
  }

  /** Waits until the last texts are sent. Returns whether they were. */
  async finish() {
    const isSent = async () => (await this.#sample()).texts === 0;
    const areAllSent = await until('the last texts are sent', isSent).then(() => true, () => false);
    await Promise.all([this.client.close(), this.stripe.close()]);
    return areAllSent;
  }
}

const HEADS = ['minute', 'requests/s', 'errors', 'p50', 'p99', 'memory', 'connections', 'texts waiting, most', 'requests waiting, most', 'server, a request'];
const errorCount = (errors) => Object.values(errors).reduce((sum, count) => sum + count, 0);

function cells({ minutes, rate, errors, p50, p99, memory, connections, textsWaiting, mostTextsWaiting, requestsWaiting, mostRequestsWaiting, processorUs }) {
  return [
    minutes < 10 ? minutes.toFixed(1) : whole(minutes),
    whole(rate),
    whole(errorCount(errors)),
    asMs(p50),
    asMs(p99),
    asMb(memory),
    whole(connections),
    `${whole(textsWaiting)}, ${whole(mostTextsWaiting)}`,
    `${whole(requestsWaiting)}, ${whole(mostRequestsWaiting)}`,
    `${whole(processorUs)} µs`,
  ];
}

function report(database, soak, capacity) {
  const rounded = (value) => (Number.isInteger(value) ? whole(value) : value.toFixed(1));
  const flat = compare(soak.rows).map(({ what, before, after, limit, isFlat }) => [what, rounded(before), rounded(after), rounded(limit), isFlat ? 'flat' : 'NOT FLAT']);
  return section(
    'A soak',
    circumstances('soak', database, ['shared_buffers', 'max_wal_size']).replace('make bench BENCH=soak', `SOAK_MINUTES=${MINUTES} make soak`),
    `One server at half of ${whole(capacity)} requests/s, which ${CAPACITY_SECONDS} s without a pause gave; the database, the stand-ins and the load share the machine. Waiting texts and requests: the median and the most of samples every ${SAMPLE_SECONDS} s. The last column is the processor time that the server used, divided by the requests.`,
    table(HEADS, soak.rows.map(cells)),
    table(['request', 'answers', 'p50', 'p99'], soak.all.kinds.map(([kind, { count, p50, p99 }]) => [kind, whole(count), asMs(p50), asMs(p99)])),
    table(['figure, median', 'second quarter', 'last quarter', 'limit', ''], flat),
    `Errors: ${Object.entries(soak.all.errors).map(([error, count]) => `${whole(count)} × ${error}`).join('; ') || 'none'}.`,
  );
}

function judge(database, soak, areAllSent) {
  const wrong = wrongErrors(soak.all.errors);
  const isFlat = compare(soak.rows).every((figure) => figure.isFlat);
  const problems = [wrong.length > 0 && `errors: ${wrong.join('; ')}`, !isFlat && 'not flat', !areAllSent && 'texts were still waiting in the end'].filter(Boolean);
  verdict(problems.length === 0);
  database.tombola('verify'); // throws if anything is wrong
  return `Verdict: ${problems.join('; ') || 'flat, without errors'}. \`tombola verify\` passed.`;
}

await bench(async () => {
  const database = makeDatabase('soak');
  const started = [];
  const stop = async () => {
    for (const program of started.splice(0).toReversed()) await program.stop();
    database.drop();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void stop().finally(() => process.exit(130)));
  try {
    const site = await startSite(database, started);
    const soak = new Soak(database, site, await setUp(site.server, [TEXTED_PAGE, ...PAGES]));
    const capacity = await soak.run();
    const areAllSent = await soak.finish();
    console.log(report(database, soak, capacity));
    console.log(judge(database, soak, areAllSent));
  } finally {
    await stop();
  }
});
