// What a run of the rig found: the report, and whether the run passed.
import { table } from '../bench/tools.mjs';

const FAULT = ['fault', 'acknowledged', '409, 429, 503', '502: Stripe is away', 'other errors', 'answered by HAProxy', 'no answer', 's without writes'];
const ACCOUNT = ['', 'acknowledged', 'lost', 'doubled'];
const EXAMPLES = 10;

/** By how much each count grew. */
export const more = (before, after) => Object.fromEntries(Object.entries(after).map(([what, count]) => [what, count - (before[what] ?? 0)]));

/** The kinds of busy answers with their counts. */
export function kinds(busy) {
  const some = Object.entries(busy).filter(([, count]) => count > 0);
  return `answers 409, 429 and 503: ${some.map(([kind, count]) => `${count} ${kind}`).join(', ') || 'none'}`;
}

const examples = (what, values) => (values.length > 0 ? [`chaos: ${what}: ${values.slice(0, EXAMPLES).join(', ')}`] : []);

/** Whether every number that must be 0 is 0. */
export function passes({ accounts, crowd, ended, isVerified }) {
  return isVerified && ended.length === 0 && crowd.answers.wrong === 0 && accounts.every(({ lost, doubled }) => lost.length + doubled.length === 0);
}

export function lines({ rows, accounts, crowd, ended }) {
  return [
    '',
    table(FAULT, rows),
    table(ACCOUNT, accounts.map(({ what, acknowledged, lost, doubled }) => [what, acknowledged, lost.length, doubled.length])),
    ...accounts.flatMap(({ what, lost, doubled }) => [...examples(`lost ${what}`, lost), ...examples(`doubled ${what}`, doubled)]),
    ...crowd.examples.slice(0, EXAMPLES).map((example) => `chaos: ${example}`),
    `chaos: ${kinds(crowd.busy)}`,
    `chaos: other errors than 409, 429 and 503: ${crowd.answers.wrong}`,
    ...ended.map((line) => `chaos: ended by itself: ${line}`),
  ];
}
