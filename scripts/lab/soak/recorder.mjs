// What happened in some time: response times and errors, by kind of request. The times are counted in classes that are 2 % wide,
// so that recording needs the same memory after an hour as after a minute.

const STEP = Math.log(1.02);
/** The last class, to which all longer times belong, begins at two minutes. */
const CLASSES = 825;
const SHORTEST_MS = 0.01;

const classOf = (ms) => Math.min(Math.max(Math.floor(Math.log(ms / SHORTEST_MS) / STEP), 0), CLASSES - 1);

export class Times {
  #counts = new Uint32Array(CLASSES);

  constructor() {
    this.count = 0;
  }

  add(ms) {
    this.#counts[classOf(ms)] += 1;
    this.count += 1;
  }

  merge(other) {
    other.#counts.forEach((count, n) => (this.#counts[n] += count));
    this.count += other.count;
    return this;
  }

  /** The upper end of the class that has this part of the times below it, in milliseconds. */
  quantile(q) {
    let left = Math.ceil(this.count * q);
    const last = this.#counts.findIndex((count) => (left -= count) <= 0);
    return SHORTEST_MS * Math.exp((last + 1) * STEP);
  }
}

export const mergedTimes = (all) => all.reduce((sum, times) => sum.merge(times), new Times());

export class Recorder {
  #kinds = new Map();

  constructor() {
    /** How often each error came: a status with its kind of request, or the reason why there was no answer. */
    this.errors = {};
  }

  answered(kind, ms) {
    let times = this.#kinds.get(kind);
    if (!times) this.#kinds.set(kind, (times = new Times()));
    times.add(ms);
  }

  failed(error) {
    this.errors[error] = (this.errors[error] ?? 0) + 1;
  }

  /** Each kind of request with its times. */
  get kinds() {
    return [...this.#kinds];
  }

  get all() {
    return mergedTimes([...this.#kinds.values()]);
  }
}
