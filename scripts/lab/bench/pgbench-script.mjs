// pgbench scripts to compare the server with. They are generated from the SQL files of the server, so that both run the same
// statements. A statement with a parameter that is unknown here stops the benchmark.
import { readFileSync } from 'node:fs';

const folder = new URL('../../../crates/adapters/store-postgres/sql/', import.meta.url);

/**
 * The value of each parameter, by its name in the statement. Phone numbers and codes are unique. A name that differs between
 * statements gets its value where the statement is used.
 */
const values = {
  phone_number: `('+1' || :phone)`,
  referral_code: `upper(lpad(to_hex(:code::bigint), 8, '0'))`,
  landing_page: `'garden-bag'`,
  sign_up_event_id: 'NULL',
  ip_address: `'127.0.0.1'`,
  user_agent: 'NULL',
  fingerprint: 'NULL',
  person_salt: `decode(repeat('07', 32), 'hex')`,
  person_tag: `decode(repeat('07', 32), 'hex')`,
  created_at: 'now()',
  base_entries: '1',
  delta: '10',
  paid: '10',
  user_id: ':id',
  id: ':id',
  version: `'benchmark'`,
  act: `'form'`,
  granted: 'true',
  message_body: 'NULL',
  sealed_body: 'NULL',
  at: 'now()',
};

function statement(file, own = {}) {
  const given = { ...values, ...own };
  const sql = readFileSync(new URL(file, folder), 'utf8').replaceAll(/^--.*\n/gm, '');
  const bound = sql.replaceAll(/\$\d+(::\w+) AS (\w+)/g, (_, type, name) => {
    if (!(name in given)) throw new Error(`${file}: no value for ${name}`);
    return `${given[name]}${type} AS ${name}`;
  });
  if (/\$\d/.test(bound)) throw new Error(`${file}: a parameter has no name`);
  return bound.trim();
}

/**
 * The number, the code and the id of a new entrant. The caller passes `-D base=…` (the first phone number, below 4,000,000,000)
 * and `-D n=0`. Codes are scattered over their index like the server's random codes: multiplying by an odd number modulo 2³² is
 * one-to-one.
 */
const draws = [
  String.raw`\set n :n + 1`,
  String.raw`\set phone :base + :client_id * 1000000 + :n`,
  String.raw`\set code (:phone * 1103515245) % 4294967296`,
  String.raw`\set id random(1, 4503599627370495)`,
];

/** One transaction is one entrant, in the steps of the server. */
export function enteringScript() {
  return [
    ...draws,
    'BEGIN;',
    `${statement('add_entrant.sql', { kind: `'base'` })};`,
    `SELECT number_hmac, opted_out_at, is_flagged, was_credited, expires_at FROM erased_numbers
     WHERE number_hmac = ANY (ARRAY[decode(repeat('07', 32), 'hex')]) ORDER BY expires_at DESC LIMIT 1;`.replaceAll(/\n\s+/g, ' '),
    `${statement('record_consent.sql')};`,
    `${statement('queue_message.sql', { kind: `'welcome'` })};`,
    'COMMIT;',
    '',
  ].join('\n');
}

/**
 * One transaction is one INSERT of one view: the fastest way to store single views. The server's statement inserts many views
 * at once and does more, so it cannot be used here; both fill the same columns. The caller passes `-D n=0`. The keys grow like
 * those of the server; decimal digits are valid hexadecimal digits.
 */
export function pageViewScript() {
  return [
    String.raw`\set n :n + 1`,
    String.raw`\set serial :n * 1000 + :client_id`,
    `INSERT INTO page_views (view_key, session_key, session_id, page, referral_code, ip_address, user_agent, fingerprint, device, browser, entry_source)
     SELECT id::uuid, id::uuid, id, 'garden-bag', CASE WHEN :n % 3 = 0 THEN 'CDFG3467' END, '127.0.0.1',
            'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
            'adf67c982206fa99125c2127f2ba2b1dc21c44e9665ab0a6a12ff4ceeef5d674', 'mobile', 'Safari', 'direct'
     FROM (SELECT '01999999-9999-7999-8999-' || lpad(:serial::text, 12, '0')) AS view (id)
     ON CONFLICT (view_key) DO NOTHING;`.replaceAll(/\n\s+/g, ' '),
    '',
  ].join('\n');
}

const findPurchase = `SELECT id, user_id, package_id, stripe_payment_intent_id, amount, entries_added, status, event_id, created_at
     FROM purchases WHERE stripe_payment_intent_id = 'pi_' || :id::text LIMIT 1`.replaceAll(/\n\s+/g, ' ');

/**
 * One transaction is one confirmed purchase, in the steps of the server; the purchase is first looked up like there. The caller
 * passes `-D n=0` and `-D share=…`, the number of purchases per client; purchase ids start at 1.
 */
export function confirmingScript() {
  return [
    String.raw`\set n :n + 1`,
    String.raw`\set id :client_id * :share + :n`,
    `${findPurchase};`,
    'BEGIN;',
    `SELECT set_config('enable_seqscan', 'off', true), pg_advisory_xact_lock_shared(7266209184103);`,
    'SELECT id, status, user_id, entries_added, cap_month, entry_cap FROM purchases WHERE id = :id FOR NO KEY UPDATE;',
    `${statement('complete_purchase.sql', { kind: `'purchase'` })};`,
    'COMMIT;',
    '',
  ].join('\n');
}
