// What happened in some time: response times and errors, by kind of request.
import { quantile } from '../bench/tools.mjs';

const figuresOf = (times) => ({ count: times.length, p50: quantile(times, 0.5), p99: quantile(times, 0.99) });

export class Recorder {
  #times = new Map();

  constructor() {
    /** How often each error came: a status with its kind of request, or the reason why there was no answer. */
    this.errors = {};
  }

  answered(kind, ms) {
    if (!this.#times.has(kind)) this.#times.set(kind, []);
    this.#times.get(kind).push(ms);
  }

  failed(error) {
    this.errors[error] = (this.errors[error] ?? 0) + 1;
  }

  /** Each kind of request with the number of answers and quantiles of their times. */
  get kinds() {
    return [...this.#times].map(([kind, times]) => [kind, figuresOf(times)]);
  }

  /** The same of all. */
  get all() {
    return figuresOf([...this.#times.values()].flat());
  }
}
