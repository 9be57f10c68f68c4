// Visitors of a running server: they enter, some through friends' links, and look at pages. What the server acknowledged is
// remembered with the times at which it was sent and answered.
const CLIENTS = 16;

export class Visitors {
  /** `firstPhone` is a number of ten digits; each sign-up takes the next one. */
  constructor(origin, firstPhone) {
    this.origin = origin;
    this.next = firstPhone;
    /** Sign-ups that were sent: phone, sentAt, and, once acknowledged, answeredAt and id. Times are of `performance.now()`. */
    this.signUps = [];
    this.views = 0;
  }

  get acknowledged() {
    return this.signUps.filter((one) => one.answeredAt !== undefined);
  }

  start() {
    this.isRunning = true;
    this.clients = Array.from({ length: CLIENTS }, () => this.#visit());
  }

  async stop() {
    this.isRunning = false;
    await Promise.all(this.clients);
  }

  async #visit() {
    let code;
    while (this.isRunning) {
      const entered = await this.#enter(code).catch(() => undefined); // the server may be killed at any time
      code = entered?.referralCode ?? code;
      if (entered && (await this.#view().catch(() => undefined))) this.views += 1;
      if (!entered) await new Promise((resume) => setTimeout(resume, 20));
    }
  }

  async #enter(code) {
    const signUp = { phone: `+1${this.next++}`, sentAt: performance.now() };
    this.signUps.push(signUp);
    const path = code ? 'register-referred' : 'register';
    const body = { phoneNumber: signUp.phone, landingPage: 'garden-bag', ...(code && { referralCode: code }) };
    const response = await this.#post(`/api/users/${path}`, body);
    if (response.status !== 201) return undefined;
    const { user } = await response.json();
    Object.assign(signUp, { id: user.id, answeredAt: performance.now() });
    return user;
  }

  async #view() {
    const response = await this.#post('/api/analytics/page-view', { page: 'garden-bag' });
    return response.ok;
  }

  #post(path, body) {
    const headers = { 'Content-Type': 'application/json', 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0' };
    return fetch(`${this.origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  }
}
