// Texts: the time to list a campaign's recipients compared with a minimal INSERT … SELECT, and the rate of sending to a
// provider that answers immediately and to a slow one. Run by scripts/lab/bench/run.sh.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { call, freePort, hashedPassword, signIn, startServer } from './server.mjs';
import { asMb, asTimes, atLeast, atMost, bench, circumstances, makeDatabase, median, say, table, timed, whole } from './tools.mjs';

const STAND_IN = 'target/release/twilio-stand-in';
const LISTED = Number(process.env.BENCH_RECIPIENTS ?? 1_000_000);
const SENT = LISTED / 20;
const SENT_SLOWLY = LISTED / 100;
const ROUNDS = 3;
const LATENCY_MS = 100;
const CONCURRENCY = 100;             // IN_FLIGHT of crates/usecases/src/send_messages.rs
const MAX_PER_SECOND = 10_000;
const TARGET = { listing: 1.5, perSecond: 5_000, ofConcurrency: 0.95, memoryMb: 60 };
const NO_CALLBACKS = '--no-callbacks';
const MESSAGE = 'The June draw is open: {LINK} Reply STOP to get no more texts.';
const ACCOUNT = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: '0'.repeat(32), TWILIO_PHONE_NUMBER: '+15550000000' };
const SIGNED = ['--account-sid', ACCOUNT.TWILIO_ACCOUNT_SID, '--auth-token', ACCOUNT.TWILIO_AUTH_TOKEN];

const asSeconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
const asRate = (rate) => `${whole(rate)}/s`;

const rowsOf = (name) => readFileSync(`crates/sms/data/${name}.csv`, 'utf8').trim().split('\n').slice(1).map((row) => row.split(','));

/** The rows of the area codes that get texts: those of the United States. */
const AREA_CODES = rowsOf('area_codes').filter(([, kind, country]) => kind === 'geographic' && country === 'US');
const STATE_HOURS = new Map(rowsOf('state_hours').map(([state, weekdays, saturday, sunday, holidays]) => [state, { weekdays, saturday, sunday, holidays }]));
const EVERYWHERE = '08:00-21:00';

/** Whether texts may go to a state at this time of its clock, `Sat 14:05`. Never to those that allow none on holidays: today may be one. */
function isOpen(state, clock) {
  if (STATE_HOURS.get(state)?.holidays === 'closed') return false;
  const [day, time] = clock.split(' ');
  const column = { Sat: 'saturday', Sun: 'sunday' }[day] ?? 'weekdays';
  const [from, to] = (STATE_HOURS.get(state)?.[column] ?? EVERYWHERE).split('-');
  return time >= from && time < to;
}

/** The area codes that texts may go to for the next quarter of an hour: the benchmark sends with the hours of recipients. */
function openAreaCodes() {
  const clockIn = (timeZone, at) => new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at).replace(',', '');
  const moments = [0, 15 * 60_000].map((ms) => new Date(Date.now() + ms));
  const isOpenInAll = ([, , , states, zones]) => states.split(';').every((state) => zones.split(';').every((zone) => moments.every((at) => isOpen(state, clockIn(zone, at)))));
  const codes = AREA_CODES.filter(isOpenInAll).map(([code]) => code);
  if (codes.length === 0) throw new Error('no area code of the United States may get texts now: run this between 12:00 and 8:00 UTC');
  return codes;
}

/** Entrants of four raffles who all consented, not ordered by phone number. */
function seed(database) {
  const all = AREA_CODES.map(([code]) => code);
  const open = openAreaCodes();
  const entrants = (raffle, first, count, codes) => `
    WITH entrant AS (
      INSERT INTO users (phone_number, referral_code, landing_page)
      SELECT '+1' || ('{${codes}}'::text[])[1 + n % ${codes.length}] || (2000000 + (n::bigint * 7368787) % 7999993), upper(lpad(to_hex(n), 8, '0')), '${raffle}' FROM generate_series(${first}, ${first + count - 1}) AS n
      RETURNING id, created_at
    )
    INSERT INTO user_consent (user_id, consent_type, version, act, granted, granted_at) SELECT id, 'sms_campaigns', 'benchmark', 'form', true, created_at FROM entrant`;
  database.sql(entrants('garden-bag', 1, LISTED, all));
  database.sql(entrants('fresh-sips', LISTED + 1, SENT, open));
  database.sql(entrants('kitchen-garden', LISTED + SENT + 1, SENT_SLOWLY, open));
  database.sql(entrants('sustainable-living', LISTED + SENT + SENT_SLOWLY + 1, SENT, open));
  database.sql('VACUUM (ANALYZE)', 'CHECKPOINT');
}

/** The time to insert the same rows into a table like sms_recipients, filtered only by raffle, with an optional order. */
function floor(database, order = '') {
  database.sql('DROP TABLE IF EXISTS bench_recipients', 'CREATE TABLE bench_recipients (LIKE sms_recipients INCLUDING ALL)', 'CHECKPOINT');
  const insert = `INSERT INTO bench_recipients (campaign_id, phone_number) SELECT 1, phone_number FROM users WHERE landing_page = 'garden-bag' ${order}`;
  return timed(() => database.sql(insert));
}

async function startProvider(...options) {
  const child = spawn(STAND_IN, ['--unchecked', ...options], { stdio: ['ignore', 'pipe', 2] });
  const [url] = await once(createInterface(child.stdout), 'line');
  const read = async (path) => (await fetch(`${url}${path}`)).json();
  return {
    url,
    count: async () => (await read('/control/messages?limit=0')).total,
    callbacks: () => read('/control/callbacks'),
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

const startSending = async (database, provider, more = {}) =>
  startServer(database, { ...hashedPassword(), ...ACCOUNT, TWILIO_API_BASE: provider.url, SMS_MAX_PER_SECOND: MAX_PER_SECOND, SMS_MONTHLY_CAP: 100, SMS_QUIET_HOURS: '21:00-08:00', ...more });

async function schedule(server, token, landingPage) {
  const templates = await call(server, '/api/admin/sms/templates', { token });
  const template = templates.templates[0] ?? (await call(server, '/api/admin/sms/templates', { token, body: { name: 'June', landingPage: 'garden-bag', messageTemplate: MESSAGE } }));
  const body = { templateId: template.id, campaignName: landingPage, scheduledDate: new Date().toISOString(), targetAudience: 'landing_page', landingPageFilter: landingPage };
  return (await call(server, '/api/admin/sms/campaigns/schedule', { token, body })).id;
}

async function until(condition) {
  while (!(await condition())) await delay(5);
}

/** The duration of listing that the server reports. No text is sent meanwhile, because the provider does not answer in time. */
async function listOnce(database, provider) {
  const metrics = await freePort();
  const server = await startSending(database, provider, { METRICS_ADDR: `127.0.0.1:${metrics}` });
  const figures = async () => (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text();
  try {
    const token = await signIn(server);
    database.sql('CHECKPOINT');
    server.forgetPeak();               // ignore the memory for hashing the password
    await schedule(server, token, 'garden-bag');
    let sum;
    await until(async () => (sum = /^campaign_begin_duration_seconds_sum ([\d.e-]+)/m.exec(await figures())) !== null);
    return { ms: Number(sum[1]) * 1000, memory: server.memory().peak };
  } finally {
    await server.stop();
    const listed = database.number('SELECT count(*) FROM sms_recipients');
    if (listed !== LISTED) throw new Error(`${listed} recipients were listed, expected ${LISTED}`);
    database.sql('TRUNCATE sms_recipients, sms_sent_messages, sms_campaign_deltas, sms_scheduled_campaigns CASCADE');
  }
}

async function compareListing(database) {
  // This provider accepts nothing, so that all recipients stay listed.
  const provider = await startProvider(NO_CALLBACKS, '--latency-ms', '60000');
  const rounds = [];
  try {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const floorMs = await floor(database);
      const orderedMs = await floor(database, 'ORDER BY phone_number');
      const { ms, memory } = await listOnce(database, provider);
      rounds.push({ floor: floorMs, ordered: orderedMs, listing: ms, ratio: ms / floorMs, memory });
      say(`round ${round}: slim INSERT … SELECT ${asSeconds(floorMs)}, listing recipients ${asSeconds(ms)}, memory ${asMb(memory)}`);
    }
  } finally {
    await provider.stop();
  }
  return rounds;
}

/** Waits until each text's reports have come, and checks that none was lost. Returns how many there were. */
async function allReported(database, provider, landingPage, expected) {
  await until(async () => (await provider.callbacks()).waiting === 0);
  const { accepted, refused } = await provider.callbacks();
  const delivered = database.number("SELECT count(*) FROM sms_sent_messages WHERE status = 'delivered'");
  if (refused > 0 || delivered !== expected) throw new Error(`${landingPage}: ${delivered} of ${expected} delivered, ${refused} reports refused`);
  return accepted;
}

/** The number of texts per second, measured from the first to the last. */
async function sendAll(database, landingPage, expected, ...options) {
  const provider = await startProvider(...options);
  const server = await startSending(database, provider);
  try {
    const token = await signIn(server);
    database.sql('CHECKPOINT');
    const before = await provider.count();
    server.forgetPeak();
    const id = await schedule(server, token, landingPage);
    await until(async () => (await provider.count()) > before);
    const first = { at: performance.now(), count: await provider.count() };
    await until(async () => (await provider.count()) >= expected);
    const seconds = (performance.now() - first.at) / 1000;
    const rate = (expected - first.count) / seconds;
    const campaign = async () => (await call(server, `/api/admin/sms/campaigns/${id}`, { token })).campaign;
    await until(async () => (await campaign()).status !== 'sending');
    const { status, sentCount } = await campaign();
    if (status !== 'sent' || sentCount !== expected || (await provider.count()) !== expected) throw new Error(`${landingPage}: ${status}, ${sentCount} of ${expected}`);
    const reports = await provider.callbacks();
    say(`${whole(expected)} texts to ${landingPage}: ${asRate(rate)}, ${whole(reports.accepted)} delivery reports meanwhile, memory ${asMb(server.memory().peak)}`);
    const settled = options.includes(NO_CALLBACKS) ? undefined : await allReported(database, provider, landingPage, expected);
    return { rate, meanwhile: reports.accepted / seconds, reportRate: settled && settled / ((performance.now() - first.at) / 1000), memory: server.memory().peak };
  } finally {
    await server.stop();
    await provider.stop();
  }
}

function report(database, listing, quick, slow, reported) {
  const of = (figure) => median(listing.map((round) => round[figure]));
  const ideal = CONCURRENCY / (LATENCY_MS / 1000);
  const memory = Math.max(...listing.map((round) => round.memory), quick.memory, slow.memory, reported.memory);
  return [
    '## Texts',
    '',
    circumstances('texts', database),
    `Listing ${whole(LISTED)} recipients when a campaign begins (consent, flags and opt-outs looked at) against the same rows put into a table of the same shape by \`INSERT … SELECT\`, median of ${ROUNDS} alternating rounds, the ratio round by round. Then ${whole(SENT)} texts to a stand-in for the provider that answers at once, and ${whole(SENT_SLOWLY)} to one that takes ${LATENCY_MS} ms, from the first to the last; unchecked, on the same machine. The rates include what is checked when a text is taken from the list: the country, the monthly cap, the hours of its recipient, and the consent once more, which the text keeps. With delivery reports, the stand-in signs and posts the reports of each text, 32 at once: ${asRate(reported.meanwhile)} while texts were sent, ${asRate(reported.reportRate)} in all, none lost.`,
    '',
    table(['recipients', 'INSERT … SELECT', 'the same, ordered by number', 'listed', 'ratio to the first'], [[whole(LISTED), asSeconds(of('floor')), asSeconds(of('ordered')), asSeconds(of('listing')), asTimes(of('ratio'))]]),
    table(
      ['figure', 'measured', 'target', ''],
      [
        atMost(`listing ${whole(LISTED)} recipients, of the slim \`INSERT … SELECT\``, of('ratio'), TARGET.listing, asTimes),
        atLeast('texts sent to a provider that answers at once', quick.rate, TARGET.perSecond, asRate),
        atLeast('the same with delivery reports', reported.rate, TARGET.perSecond, asRate),
        atLeast(`texts sent at ${LATENCY_MS} ms, of ${whole(ideal)}/s (${CONCURRENCY} at once)`, slow.rate / ideal, TARGET.ofConcurrency, asTimes),
        atMost('memory while listing and sending, most', memory, TARGET.memoryMb, asMb),
      ],
    ),
  ].join('\n');
}

await bench(async () => {
  const database = makeDatabase('texts');
  try {
    say(`inserting ${whole(LISTED + SENT + SENT_SLOWLY + SENT)} entrants`);
    seed(database);
    const listing = await compareListing(database);
    const quick = await sendAll(database, 'fresh-sips', SENT, NO_CALLBACKS);
    const slow = await sendAll(database, 'kitchen-garden', SENT_SLOWLY, NO_CALLBACKS, '--latency-ms', String(LATENCY_MS));
    const reported = await sendAll(database, 'sustainable-living', SENT, ...SIGNED);
    console.log(report(database, listing, quick, slow, reported));
  } finally {
    database.drop();
  }
});
