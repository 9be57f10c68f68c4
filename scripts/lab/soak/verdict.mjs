// Whether the figures of a soak are flat: the last quarter is compared with the second one, because in the first one the server
// still opens connections and fills its memory.
import { median } from '../bench/tools.mjs';

/** Each figure of a row, and how large it may be in the last quarter when it was `before` in the second one. */
const LIMITS = [
  ['memory of the server, MB', ({ memory }) => memory, (before) => Math.max(before * 1.1, before + 3)],
  ['p99, ms', ({ p99 }) => p99, (before) => before * 1.3],
  ['connections to the database', ({ connections }) => connections, (before) => before + 1],
  ['texts waiting', ({ textsWaiting }) => textsWaiting, (before) => before + 30],
  ['requests waiting', ({ requestsWaiting }) => requestsWaiting, (before) => before + 1],
];

/** Answers that say when to try again, or that the same was done already. */
const DOCUMENTED = /^(409|429) of /;

const quarter = (rows, n) => rows.slice(Math.floor((rows.length * n) / 4), Math.floor((rows.length * (n + 1)) / 4));

/** Each figure in the second and in the last quarter, its limit, and whether it is flat. */
export function compare(rows) {
  return LIMITS.map(([what, figure, limit]) => {
    const [before, after] = [1, 3].map((n) => median(quarter(rows, n).map(figure)));
    return { what, before, after, limit: limit(before), isFlat: after <= limit(before) };
  });
}

export const wrongErrors = (errors) => Object.keys(errors).filter((error) => !DOCUMENTED.test(error));
