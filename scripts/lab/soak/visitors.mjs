// Visitors in the proportions of a site: most only look, some enter, few buy.
import { randomUUID } from 'node:crypto';
import { installed } from '../../installed.mjs';
import { TEXTED_PAGE } from '../drill/site.mjs';

const { Pool } = (await installed('undici')).default;
const PATIENCE_MS = 30_000;
/** A server closes connections that nobody uses, perhaps just when somebody does; so those are not used again. */
const FRESH_MS = 1000;
const AGENT = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
export const PAGES = ['garden-bag', 'kitchen-garden', 'sustainable-living'];
const AREA_CODES = [646, 718, 347, 929, 332];
const PLATFORMS = ['email', 'sms'];
/** The last entrants, who look at their entries, share, buy, and whose friends enter. */
const REMEMBERED = 2000;
/** Of a thousand visits. */
const VISITS = [['look', 860], ['enter', 40], ['lookAtEntries', 50], ['share', 40], ['buy', 10]];

export class Visitors {
  #next = 0;
  #entered = 0;
  #entrants = [];

  /** `site` and `stripe` are of `connect`; `offer` is the package that is bought; `recorder()` is the present recorder. */
  constructor({ site, stripe, offer, recorder }) {
    Object.assign(this, { site, stripe, offer, recorder });
    this.sent = 0;
    this.order = VISITS.flatMap(([visit, weight]) => Array(weight).fill(visit));
  }

  /** One visit, which is one request or a few. Never throws: errors are recorded. */
  async visit() {
    const visit = this.#entered === 0 ? 'enter' : oneOf(this.order);
    await this[visit]();
  }

  async look() {
    const page = oneOf(PAGES);
    const headers = this.#headers();
    await this.#send('page', 'GET', `/${page}`, { headers });
    const body = { page, sessionId: sessionId(), ...(isOneIn(3) && { referralCode: this.#anybody().referralCode }) };
    await this.#send('view', 'POST', '/api/analytics/page-view', { headers, body });
  }

  async enter(landingPage = oneOf(PAGES)) {
    const n = this.#next++;
    const phoneNumber = `+1${AREA_CODES[Math.floor(n / 7_000_000)]}${2_000_000 + (n % 7_000_000)}`;
    const isReferred = this.#entered > 0 && isOneIn(3);
    const path = isReferred ? 'register-referred' : 'register';
    const body = { phoneNumber, landingPage, ...(isReferred && { referralCode: this.#anybody().referralCode }) };
    const answer = await this.#send('sign-up', 'POST', `/api/users/${path}`, { headers: this.#headers(n), body, isRead: true });
    if (answer) this.#entrants[this.#entered++ % REMEMBERED] = answer.user;
  }

  /** Somebody who gets a welcome text. */
  enterForText() {
    return this.enter(TEXTED_PAGE);
  }

  async lookAtEntries() {
    const { id } = this.#anybody();
    const headers = this.#headers();
    for (const path of ['', '/stats', '/referrals']) await this.#send('own entries', 'GET', `/api/users/${id}${path}`, { headers });
  }

  async share() {
    const { id } = this.#anybody();
    await this.#send('share', 'POST', '/api/analytics/social-share', { headers: this.#headers(), body: { userId: id, platform: oneOf(PLATFORMS) } });
  }

  /** Half of the buyers confirm their payment; the other half close the browser, and only Stripe's event tells. */
  async buy() {
    const { id: userId } = this.#anybody();
    const { id: packageId, price: amount, entries: entriesAdded } = this.offer;
    const headers = this.#headers();
    const begun = await this.#send('begin to buy', 'POST', '/api/stripe/create-payment-intent', { headers, body: { userId, packageId, amount, entriesAdded }, isRead: true });
    if (!begun) return;
    const { paymentIntentId } = begun;
    const isPaid = await this.#pay(paymentIntentId);
    if (isPaid && isOneIn(2)) await this.#send('confirm', 'POST', '/api/confirm-payment', { headers, body: { paymentIntentId, userId, packageId } });
  }

  async #pay(intent) {
    const body = { paymentMethod: 'pm_card_visa' };
    const errors = { answered: () => undefined, failed: (error) => this.recorder().failed(error) }; // its times are not ours
    const paid = await send(this.stripe, errors, 'the stand-in for Stripe', 'POST', `/control/intents/${intent}/pay`, { body, isRead: true });
    return paid !== undefined;
  }

  #anybody() {
    return oneOf(this.#entrants);
  }

  /** A network of its own for each visitor, as no network has many of them. */
  #headers(n = this.#next++) {
    return { 'User-Agent': AGENT, 'X-Forwarded-For': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` };
  }

  async #send(kind, method, path, options) {
    this.sent += 1;
    return send(this.site, this.recorder(), kind, method, path, options);
  }
}

/** A UUID of version 7, which begins with the time, as browsers make it. With other ids, views are not stored in the order of time. */
function sessionId() {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

const oneOf = (values) => values[Math.floor(Math.random() * values.length)];
const isOneIn = (count) => Math.random() * count < 1;

/** Kept connections. `fetch` would take this process more time, which it shares with the server. */
export const connect = (url) =>
  new Pool(url, { keepAliveTimeout: FRESH_MS, keepAliveMaxTimeout: FRESH_MS, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS });

/** Sends a request and records it. Returns the answer's JSON if it is wanted and there is one. */
export async function send(pool, recorder, kind, method, path, { headers, body, isRead = false }) {
  const started = performance.now();
  const content = body && { headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  try {
    const answer = await pool.request({ method, path, headers, ...content });
    const isError = answer.statusCode >= 400;
    const text = isError || isRead ? await answer.body.text() : await answer.body.dump();
    recorder.answered(kind, performance.now() - started);
    if (isError) recorder.failed(`${answer.statusCode} of ${kind}: ${codeOf(text)}`);
    return isRead && !isError ? JSON.parse(text) : undefined;
  } catch (error) {
    recorder.failed(`no answer to ${kind}: ${error.code ?? error.message}`);
    return undefined;
  }
}

/** Errors that are not ours are not JSON. */
function codeOf(text) {
  return /"code":"(\w+)"/.exec(text)?.[1] ?? text.slice(0, 80);
}
