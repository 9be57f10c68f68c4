// Visitors of a site whose parts fail. Each sends the same again until it is acknowledged, as a browser whose answer was lost
// does, and everything that was acknowledged is remembered.
import { setTimeout as delay } from 'node:timers/promises';
import { call } from '../bench/server.mjs';
import { TEXTED_PAGE } from './site.mjs';

/** Visitors who enter and look at a page, of whom most come through a friend's link; those who also get a text; and buyers. */
const COUNTS = { entering: 6, texted: 1, buying: 2 };
/** Milliseconds between two rounds of a visitor. At most 60 welcome texts a minute are sent. */
const PAUSE = { entering: 150, texted: 1500, buying: 400, again: 250 };
const PURCHASES_EACH = 5;
const PATIENCE_MS = 8000;

/** Answers that say when to try again, or that the same is going on already. */
const BUSY = [409, 429, 503];
const BUYING_PATHS = ['/api/stripe/create-payment-intent', '/api/confirm-payment'];

/** What an error is: `proxy` if HAProxy answered, because every answer of a server has an id; `busy`; `provider` if a purchase
 * got a 502 while Stripe was away; and `wrong`, which fails the run. */
export function judge({ status, isOurs, path, wasProviderAway }) {
  if (!isOurs) return 'proxy';
  if (BUSY.includes(status)) return 'busy';
  return status === 502 && wasProviderAway && BUYING_PATHS.includes(path) ? 'provider' : 'wrong';
}

export class Crowd {
  /**
   * `offer` is the package that buyers buy, and `stripe` where they pay; `counts` and `pause` replace those above, and `first` is
   * the number of the first visitor.
   */
  constructor(origin, { offer, stripe, counts = COUNTS, pause = PAUSE, first = 0 }) {
    Object.assign(this, { origin, offer, stripe, counts, pause, next: first });
    /** Sign-ups that were sent, and those of them that were acknowledged. Times are of `performance.now()`. */
    this.sent = [];
    this.signUps = [];
    /** What else was acknowledged. */
    this.views = [];
    this.payments = [];
    /** The times at which a write was acknowledged, of `performance.now()`. */
    this.writes = [];
    /** Answers of the servers, answers of the proxy in their place, and requests without any answer. */
    this.answers = { acknowledged: 0, busy: 0, provider: 0, wrong: 0, proxy: 0, none: 0 };
    /** While the payment provider is away, buying gets a 502, which says so. At any other time that is wrong. */
    this.isProviderAway = false;
    this.examples = [];
    /** How often each kind of busy answer came. */
    this.busy = {};
  }

  start() {
    this.isRunning = true;
    const many = (count, visit) => Array.from({ length: count }, () => this.#repeat(visit));
    this.visitors = [
      ...many(this.counts.entering, (memory) => this.#enterAndView(memory)),
      ...many(this.counts.texted, () => this.#enterForText()),
      ...many(this.counts.buying, (memory) => this.#buy(memory)),
    ];
    for (const visitor of this.visitors) visitor.catch(() => undefined); // stop() throws it
  }

  async stop() {
    this.isRunning = false;
    await Promise.all(this.visitors);
  }

  async #repeat(visit) {
    const memory = {};
    while (this.isRunning) await visit(memory);
  }

  async #enterAndView(memory) {
    const user = await this.#enter('garden-bag', memory.friend);
    if (user) {
      memory.friend = user;
      const sessionId = `chaos-${user.phoneNumber}`;
      const body = { page: 'garden-bag', sessionId };
      if (await this.#insist('/api/analytics/page-view', body, user.address)) this.views.push(sessionId);
    }
    await delay(this.pause.entering);
  }

  async #enterForText() {
    await this.#enter(TEXTED_PAGE);
    await delay(this.pause.texted);
  }

  async #buy(memory) {
    if (!memory.left) {
      memory.user = await this.#enter('garden-bag');
      memory.left = memory.user ? PURCHASES_EACH : 0;
      return;
    }
    memory.left -= 1;
    if (!(await this.#purchase(memory.user))) memory.left = 0;
    await delay(this.pause.buying);
  }

  /** Of the buyers, half confirm their payment; the other half close the browser, and only Stripe's event tells. Returns whether
   * there was a payment. */
  async #purchase({ id: userId, address }) {
    const { id: packageId, price: amount, entries: entriesAdded } = this.offer;
    const begun = await this.#insist('/api/stripe/create-payment-intent', { userId, packageId, amount, entriesAdded }, address);
    if (!begun) return false;
    const { paymentIntentId } = begun;
    await call({ url: this.stripe }, `/control/intents/${paymentIntentId}/pay`, { body: { paymentMethod: 'pm_card_visa' } });
    this.payments.push(paymentIntentId);
    if (this.payments.length % 2 === 0) await this.#insist('/api/confirm-payment', { paymentIntentId, userId, packageId }, address);
    return true;
  }

  async #enter(landingPage, friend) {
    const n = this.next++;
    const phoneNumber = `+1646${2_000_000 + n}`;
    // A network of its own for each visitor: no rate limit is reached, and no network has many accounts.
    const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
    const path = friend ? 'register-referred' : 'register';
    const signUp = { phone: phoneNumber, sentAt: performance.now() };
    this.sent.push(signUp);
    const answer = await this.#insist(`/api/users/${path}`, { phoneNumber, landingPage, ...(friend && { referralCode: friend.referralCode }) }, address);
    if (!answer) return undefined;
    const user = { ...answer.user, phoneNumber, address };
    this.signUps.push(Object.assign(signUp, { id: user.id, friend: friend?.id, isTexted: landingPage === TEXTED_PAGE, answeredAt: performance.now() }));
    return user;
  }

  /** Sends until it is acknowledged. Returns the answer; undefined if it was refused, or if everybody goes home. */
  async #insist(path, body, address) {
    while (this.isRunning) {
      const { outcome, answer, isOver } = await this.#send(path, body, address);
      this.answers[outcome] += 1;
      if (outcome === 'acknowledged') this.writes.push(performance.now());
      if (outcome === 'acknowledged' || outcome === 'wrong' || isOver) return answer;
      await delay(this.pause.again);
    }
    return undefined;
  }

  async #send(path, body, address) {
    const headers = { 'Content-Type': 'application/json', 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0', 'X-Forwarded-For': address };
    const wasProviderAway = this.isProviderAway;
    try {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const response = await fetch(`${this.origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body), signal });
      const text = await response.text();
      if (response.ok) return { outcome: 'acknowledged', answer: JSON.parse(text) };
      // A try that Stripe may have received before it went away leaves an open purchase. After ten the buyer has to wait for an hour.
      const isOver = text.includes('too_many_open_purchases');
      return { isOver, outcome: this.#error(response, path, text, wasProviderAway || this.isProviderAway) };
    } catch {
      return { outcome: 'none' }; // reset, or no answer in time
    }
  }

  #error({ status, headers }, path, text, wasProviderAway) {
    const outcome = judge({ status, isOurs: headers.has('x-request-id'), path, wasProviderAway });
    if (outcome === 'wrong') this.examples.push(`${new Date().toISOString()} ${path}: ${status} ${text}`);
    if (outcome === 'busy') {
      const kind = `${status} ${JSON.parse(text).code}`;
      this.busy[kind] = (this.busy[kind] ?? 0) + 1;
    }
    return outcome;
  }
}
