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

export function allErrors(rows) {
  const errors = {};
  for (const row of rows) for (const [error, count] of Object.entries(row.errors)) errors[error] = (errors[error] ?? 0) + count;
  return errors;
}

export const wrongErrors = (errors) => Object.keys(errors).filter((error) => !DOCUMENTED.test(error));

/** Fewer and longer rows; `size` rows become one. Counts are added, figures are the median, and what was the most stays it. */
export function condense(rows, size) {
  const groups = Array.from({ length: Math.ceil(rows.length / size) }, (_, n) => rows.slice(n * size, (n + 1) * size));
  return groups.map((group) => {
    const of = (figure) => group.map((row) => row[figure]);
    return {
      minutes: of('minutes').at(-1),
      rate: of('rate').reduce((sum, rate) => sum + rate, 0) / group.length,
      errors: allErrors(group),
      p50: median(of('p50')),
      p99: median(of('p99')),
      memory: median(of('memory')),
      processorUs: median(of('processorUs')),
      connections: median(of('connections')),
      textsWaiting: median(of('textsWaiting')),
      mostTextsWaiting: Math.max(...of('mostTextsWaiting')),
      requestsWaiting: median(of('requestsWaiting')),
      mostRequestsWaiting: Math.max(...of('mostRequestsWaiting')),
    };
  });
}
