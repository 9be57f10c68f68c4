// What happened in some time: response times and errors, by kind of request.
import { createHistogram } from 'node:perf_hooks';

/** The number of answers, and quantiles of their times in milliseconds. Histograms count microseconds. */
const figuresOf = (times) => ({ count: times.count, p50: times.percentile(50) / 1000, p99: times.percentile(99) / 1000 });

export class Recorder {
  #times = new Map();
  /** How often each error came: a status with its kind of request, or the reason why there was no answer. */
  errors = {};

  #timesOf(kind) {
    if (!this.#times.has(kind)) this.#times.set(kind, createHistogram());
    return this.#times.get(kind);
  }

  answered(kind, ms) {
    this.#timesOf(kind).record(Math.max(1, Math.round(ms * 1000)));
  }

  failed(error, count = 1) {
    this.errors[error] = (this.errors[error] ?? 0) + count;
  }

  /** Adds what another recorder has. */
  add(other) {
    for (const [kind, times] of other.#times) this.#timesOf(kind).add(times);
    for (const [error, count] of Object.entries(other.errors)) this.failed(error, count);
  }

  /** The figures of each kind of request. */
  get kinds() {
    return [...this.#times].map(([kind, times]) => [kind, figuresOf(times)]);
  }

  /** The figures of all. */
  get all() {
    const all = createHistogram();
    for (const times of this.#times.values()) all.add(times);
    return figuresOf(all);
  }
}
