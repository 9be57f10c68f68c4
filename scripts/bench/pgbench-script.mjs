// The floor: a pgbench script made of the very statements that the server runs to let somebody in, so that the two
// cannot drift apart. A statement with a parameter that is not known here stops the benchmark.
import { readFileSync } from 'node:fs';

const folder = new URL('../../crates/store-postgres/sql/', import.meta.url);

/** What each parameter, by the name its statement gives it, gets. The phone numbers and codes are unique. */
const values = {
  phone_number: `('+1' || :phone)`,
  referral_code: `upper(lpad(to_hex(:code::bigint), 8, '0'))`,
  landing_page: `'garden-bag'`,
  sign_up_event_id: 'NULL',
  ip_address: `'127.0.0.1'`,
  user_agent: 'NULL',
  created_at: 'now()',
  user_id: ':id',
  version: `'benchmark'`,
  act: `'form'`,
  granted: 'true',
  at: 'now()',
};

function statement(file) {
  const sql = readFileSync(new URL(file, folder), 'utf8').replaceAll(/^--.*\n/gm, '');
  const bound = sql.replaceAll(/\$\d+(::\w+) AS (\w+)/g, (_, type, name) => {
    if (!(name in values)) throw new Error(`${file}: no value for ${name}`);
    return `${values[name]}${type} AS ${name}`;
  });
  if (/\$\d/.test(bound)) throw new Error(`${file}: a parameter without a name`);
  return bound.trim();
}

/**
 * One transaction is one entrant. The caller passes `-D base=…` (a phone number to count from, below 4,000,000,000) and
 * `-D n=0`. Codes are scattered over their index, as the server's random ones are: an odd factor is one-to-one below 2³².
 */
export function enteringScript() {
  return [
    String.raw`\set n :n + 1`,
    String.raw`\set phone :base + :client_id * 1000000 + :n`,
    String.raw`\set code (:phone * 1103515245) % 4294967296`,
    'BEGIN;',
    statement('enter.sql'),
    String.raw`\gset`,
    `${statement('record_consent.sql')};`,
    'COMMIT;',
    '',
  ].join('\n');
}
