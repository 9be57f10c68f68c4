// Phone verification: sign-ups a second with and without a code, by the same client. This process also stands in for the
// provider, answers at once and hands each code to the visitor who waits for it. Run by scripts/lab/bench/run.sh.
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { startServer } from './server.mjs';
import { SECONDS, WARM_UP_SECONDS, asMs, asTimes, bench, circumstances, makeDatabase, median, quantile, say, table, whole } from './tools.mjs';

/** Most of those with codes wait for their text: the sender looks for new ones every half second. */
const VISITORS = { without: 32, with: 512 };
const ROUNDS = 3;
const AREA_CODES = [201, 205, 212, 303, 312, 404, 415, 503, 617, 702];
const NUMBERS_PER_AREA_CODE = 7_000_000;
const ACCOUNT = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: '0'.repeat(32), TWILIO_PHONE_NUMBER: '+12015550100' };

let entrants = 0;

/** A number that was not used before in this run. */
function nextNumber() {
  const n = entrants++;
  return `+1${AREA_CODES[n % AREA_CODES.length]}${2_000_000 + (Math.floor(n / AREA_CODES.length) % NUMBERS_PER_AREA_CODE)}`;
}

/** A provider that accepts every message. `codeFor` resolves when a message to that number has come. */
async function startProvider() {
  const waiting = new Map();
  let messages = 0;
  const server = createServer(async (message, answer) => {
    const chunks = await message.toArray();
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    messages += 1;
    answer.writeHead(201, { 'Content-Type': 'application/json' });
    answer.end(JSON.stringify({ sid: `SM${messages.toString(16).padStart(32, '0')}`, status: 'queued', error_code: null }));
    const code = /\b\d{6}\b/.exec(form.get('Body'));
    if (code) waiting.get(form.get('To'))?.(code[0]);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    codeFor: (number) => new Promise((resolve) => waiting.set(number, resolve)).finally(() => waiting.delete(number)),
    stop: () => server.close().closeAllConnections(),
  };
}

/** Posts JSON over a kept connection; `fetch` would cost this process more than the server. */
function post(agent, url, body, cookie) {
  const headers = { 'Content-Type': 'application/json', 'User-Agent': 'Mozilla/5.0 Firefox/143.0', ...(cookie && { Cookie: cookie }) };
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method: 'POST', headers }, async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      const cookies = (answer.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]);
      resolve({ status: answer.statusCode, body: JSON.parse(text), cookie: cookies.join('; ') });
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

function expectStatus(answer, status) {
  if (answer.status !== status) throw new Error(`${answer.status} ${answer.body.error}, expected ${status}`);
  return answer;
}

const entry = (phoneNumber) => ({ phoneNumber, landingPage: 'garden-bag', smsConsent: true });

async function enterDirectly({ url, agent }, times) {
  const begun = performance.now();
  expectStatus(await post(agent, `${url}/api/users/register`, entry(nextNumber())), 201);
  times.push({ whole: performance.now() - begun });
}

async function enterWithCode({ url, agent, provider }, times) {
  const number = nextNumber();
  const begun = performance.now();
  const arrives = provider.codeFor(number);
  const { body, cookie } = expectStatus(await post(agent, `${url}/api/users/register`, entry(number)), 202);
  const asked = performance.now();
  const code = await arrives;
  const received = performance.now();
  expectStatus(await post(agent, `${url}/api/users/verify`, { verificationId: body.verification.id, code }, cookie), 201);
  const entered = performance.now();
  times.push({ asking: asked - begun, text: received - begun, proving: entered - received, whole: entered - begun });
}

/** Lets visitors enter one after the other for some seconds, and checks that everyone who was told so is stored. */
async function round(database, site, seconds) {
  database.sql('CHECKPOINT');
  const before = database.number('SELECT count(*) FROM users');
  const times = [];
  const begun = performance.now();
  const until = begun + seconds * 1000;
  const visitor = async () => {
    while (performance.now() < until) await site.enter(site, times);
  };
  await Promise.all(Array.from({ length: site.visitors }, visitor));
  const rate = times.length / ((performance.now() - begun) / 1000);
  const stored = database.number('SELECT count(*) FROM users') - before;
  if (stored !== times.length) throw new Error(`${stored} entrants were stored, expected ${times.length}`);
  return { rate, times };
}

async function compare(database, sites) {
  await round(database, sites.without, WARM_UP_SECONDS);
  await round(database, sites.with, WARM_UP_SECONDS);
  const rounds = [];
  for (let n = 1; n <= ROUNDS; n += 1) {
    const direct = await round(database, sites.without, SECONDS);
    const verified = await round(database, sites.with, SECONDS);
    rounds.push({ direct, verified });
    say(`round ${n}: ${whole(direct.rate)}/s without a code, ${whole(verified.rate)}/s with one`);
  }
  return rounds;
}

function report(database, rounds) {
  const rate = (kind) => median(rounds.map((each) => each[kind].rate));
  const ratio = median(rounds.map(({ direct, verified }) => verified.rate / direct.rate));
  const times = (kind, step) => rounds.flatMap((each) => each[kind].times.map((time) => time[step]));
  const row = (what, kind, step) => [what, asMs(quantile(times(kind, step), 0.5)), asMs(quantile(times(kind, step), 0.99))];
  return [
    '## Phone verification',
    '',
    circumstances('verification', database),
    `${VISITORS.without} visitors without codes, or ${whole(VISITORS.with)} with codes, enter one number after the other, ${ROUNDS} alternating rounds of ${SECONDS} s, the ratio round by round. With a code, one sign-up is two requests and one text to a provider that answers at once, and the visitor sends the code as soon as it arrives. Most visitors wait for their text, because the sender looks for new ones every half second. The visitors and the provider are one Node process on the same two cores, which bounds both figures.`,
    '',
    table(['sign-ups a second', 'without a code', 'with a code', 'ratio'], [['', `${whole(rate('direct'))}/s`, `${whole(rate('verified'))}/s`, asTimes(ratio)]]),
    table(
      ['step', 'p50', 'p99'],
      [
        row('entering without a code', 'direct', 'whole'),
        row('asking for a code', 'verified', 'asking'),
        row('from the request to the code', 'verified', 'text'),
        row('proving the number with the code', 'verified', 'proving'),
        row('entering with a code, whole', 'verified', 'whole'),
      ],
    ),
  ].join('\n');
}

await bench(async () => {
  const database = makeDatabase('verification');
  const provider = await startProvider();
  const texts = { ...ACCOUNT, TWILIO_API_BASE: provider.url, SMS_MAX_PER_SECOND: '10000', SMS_DAILY_BUDGET: '100000000', SMS_QUIET_HOURS: 'off' };
  const withCodes = await startServer(database, { ...texts, PHONE_VERIFICATION: 'on' });
  const withoutCodes = await startServer(database, { PHONE_VERIFICATION: 'off' });
  const agent = new Agent({ keepAlive: true, maxSockets: VISITORS.with });
  try {
    const sites = {
      with: { url: withCodes.url, agent, provider, enter: enterWithCode, visitors: VISITORS.with },
      without: { url: withoutCodes.url, agent, enter: enterDirectly, visitors: VISITORS.without },
    };
    console.log(report(database, await compare(database, sites)));
  } finally {
    agent.destroy();
    await Promise.all([withCodes.stop(), withoutCodes.stop()]);
    provider.stop();
  }
  database.drop();
});
