// What a run of the rig found: the report, and whether the run passed.

const FAULT = ['fault', 'acknowledged', '409, 429, 503', '502: Stripe is away', 'other errors', 'answered by HAProxy', 'no answer', 's without writes'];
const ACCOUNT = ['', 'acknowledged', 'lost', 'doubled'];
const EXAMPLES = 10;

function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

const examples = (what, values) => (values.length > 0 ? [`chaos: ${what}: ${values.slice(0, EXAMPLES).join(', ')}`] : []);

/** Whether every number that must be 0 is 0. */
export function passes({ accounts, crowd, ended, isVerified }) {
  return isVerified && ended.length === 0 && crowd.answers.wrong === 0 && accounts.every(({ lost, doubled }) => lost.length + doubled.length === 0);
}

export function lines({ rows, accounts, crowd, ended }) {
  const busy = Object.entries(crowd.busy).map(([kind, count]) => `${count} ${kind}`);
  return [
    '',
    table(FAULT, rows),
    '',
    table(ACCOUNT, accounts.map(({ what, acknowledged, lost, doubled }) => [what, acknowledged, lost.length, doubled.length])),
    '',
    ...accounts.flatMap(({ what, lost, doubled }) => [...examples(`lost ${what}`, lost), ...examples(`doubled ${what}`, doubled)]),
    ...crowd.examples.slice(0, EXAMPLES).map((example) => `chaos: ${example}`),
    `chaos: answers 409, 429 and 503: ${busy.join(', ') || 'none'}`,
    `chaos: other errors than 409, 429 and 503: ${crowd.answers.wrong}`,
    ...ended.map((line) => `chaos: ended by itself: ${line}`),
  ];
}
