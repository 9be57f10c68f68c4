// Entering with a code: one sign-up is two requests and one text. This process is the visitors, and it also stands in for the
// provider, which answers at once and hands each code to the visitor who waits for it.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { installed } from '../../installed.mjs';
import { AREA_CODES } from './load.mjs';
import { quantile } from './tools.mjs';

const { Pool } = (await installed('undici')).default;

/** Most of them wait for their text: the sender looks for new ones every half second. */
export const VISITORS = 512;
const NUMBERS_PER_AREA_CODE = 7_000_000;
const LONGEST_WAIT_MS = 60_000;

let entrants = 0;

/** A number that was not used before in this run. */
function nextNumber() {
  const n = entrants++;
  return `+1${AREA_CODES[n % AREA_CODES.length]}${2_000_000 + (Math.floor(n / AREA_CODES.length) % NUMBERS_PER_AREA_CODE)}`;
}

/** A provider that accepts every message. `codeFor` resolves when a message to that number has come; `settings` are the server's. */
export async function startTextProvider() {
  const waiting = new Map();
  let messages = 0;
  // The server keeps idle connections for 30 s. If this process closed one first, a text could get no answer.
  const server = createServer({ keepAliveTimeout: 60_000 }, async (message, answer) => {
    const form = new URLSearchParams(Buffer.concat(await message.toArray()).toString());
    messages += 1;
    answer.writeHead(201, { 'Content-Type': 'application/json' });
    answer.end(JSON.stringify({ sid: `SM${messages.toString(16).padStart(32, '0')}`, status: 'queued', error_code: null }));
    const code = /\b\d{6}\b/.exec(form.get('Body'));
    if (code) waiting.get(form.get('To'))?.(code[0]);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    settings: {
      TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: '0'.repeat(32), TWILIO_PHONE_NUMBER: '+12015550100',
      TWILIO_API_BASE: `http://127.0.0.1:${server.address().port}`,
      PHONE_VERIFICATION: 'on', SMS_MAX_PER_SECOND: '10000', SMS_DAILY_BUDGET: '100000000', SMS_QUIET_HOURS: 'off',
    },
    codeFor: (number) => new Promise((resolve, reject) => {
      waiting.set(number, resolve);
      setTimeout(reject, LONGEST_WAIT_MS, new Error(`no text has come to ${number}`)).unref();
    }).finally(() => waiting.delete(number)),
    stop: () => server.close().closeAllConnections(),
  };
}

/** Posts JSON over a kept connection; `fetch` would cost this process more than the server. */
async function post(pool, path, body, status, cookie) {
  const headers = { 'Content-Type': 'application/json', 'User-Agent': 'Mozilla/5.0 Firefox/143.0', ...(cookie && { Cookie: cookie }) };
  const answer = await pool.request({ method: 'POST', path, headers, body: JSON.stringify(body) });
  const text = await answer.body.text();
  if (answer.statusCode !== status) throw new Error(`${answer.statusCode} ${text}, expected ${status}`);
  const cookies = [answer.headers['set-cookie'] ?? []].flat().map((line) => line.split(';')[0]);
  return { body: JSON.parse(text), cookie: cookies.join('; ') };
}

async function enterOnce(pool, provider) {
  const phoneNumber = nextNumber();
  const begun = performance.now();
  const arrives = provider.codeFor(phoneNumber);
  const { body, cookie } = await post(pool, '/api/users/register', { phoneNumber, landingPage: 'garden-bag', smsConsent: true }, 202);
  await post(pool, '/api/users/verify', { verificationId: body.verification.id, code: await arrives }, 201, cookie);
  return performance.now() - begun;
}

/** Lets visitors enter one after the other for some seconds, and checks that everyone who was told so is stored. */
export async function enterWithCodes(database, server, provider, seconds) {
  database.sql('CHECKPOINT');
  const before = database.number('SELECT count(*) FROM users');
  const pool = new Pool(server.url, { connections: VISITORS });
  const times = [];
  const begun = performance.now();
  const visitor = async () => {
    while (performance.now() < begun + seconds * 1000) times.push(await enterOnce(pool, provider));
  };
  await Promise.all(Array.from({ length: VISITORS }, visitor)).finally(() => pool.destroy());
  const rate = times.length / ((performance.now() - begun) / 1000);
  const stored = database.number('SELECT count(*) FROM users') - before;
  if (stored !== times.length) throw new Error(`${stored} entrants were stored, expected ${times.length}`);
  return { rate, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}
