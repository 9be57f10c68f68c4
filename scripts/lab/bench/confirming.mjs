// Confirming purchases, with a provider that answers at once.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { stop, urlOf } from '../../processes.mjs';
import { SECONDS, wrkWithoutErrors } from './tools.mjs';

export const CONNECTIONS = 32;
const THREADS = 2;
const ENTRANTS = 10_000;
/** More than either side can confirm. */
export const PURCHASES = Math.ceil(SECONDS) * 12_000;
const KEYS = { STRIPE_SECRET_KEY: 'sk_test_bench', STRIPE_PUBLISHABLE_KEY: 'pk_test_bench', STRIPE_WEBHOOK_SECRET: 'whsec_bench' };
const STAND_IN = 'target/release/stripe-stand-in';
const PRICE = 500;

/** A paid payment intent from the stand-in, in JSON, as a server gets it. */
async function paidPayment() {
  const standIn = spawn(STAND_IN, [], { stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await urlOf(standIn);
  const headers = { Authorization: `Bearer ${KEYS.STRIPE_SECRET_KEY}`, 'Stripe-Version': '2026-09-30.endive' };
  const ask = async (method, path, form) => {
    const answer = await fetch(`${url}/v1/payment_intents${path}`, { method, headers, body: form && new URLSearchParams(form) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  try {
    const { id } = await ask('POST', '', { amount: PRICE, currency: 'usd', 'automatic_payment_methods[enabled]': true });
    await ask('POST', `/${id}/confirm`, { payment_method: 'pm_card_visa', return_url: 'https://tombola.example/back' });
    return await ask('GET', `/${id}?expand[]=latest_charge`);
  } finally {
    await stop(standIn);
  }
}

/**
 * A provider without latency: every payment `pi_{n}` is paid and belongs to purchase `n`. It is a minimal HTTP server, to save CPU
 * time. `settings` are those of a server that asks it.
 */
export async function startPaymentProvider({ sql }) {
  const payment = await paidPayment();
  sql(`INSERT INTO entry_packages (name, description, entries, price) VALUES ('Ten', 'Ten more', 10, ${PRICE})`);
  const body = JSON.stringify({ ...payment, id: 'pi_@', metadata: { purchaseId: '@', userId: '#', packageId: '1' } });
  const answer = (purchase) => {
    const own = body.replaceAll('@', purchase).replace('#', String(((purchase - 1) % ENTRANTS) + 1));
    return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(own)}\r\n\r\n${own}`;
  };
  const server = createServer((socket) => {
    let received = '';
    socket.setNoDelay(true);
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
        socket.write(answer(/^GET \/v1\/payment_intents\/pi_(\d+)/.exec(received)[1]));
        received = received.slice(end + 4);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { settings: { ...KEYS, STRIPE_API_BASE: `http://127.0.0.1:${server.address().port}` }, stop: () => server.close() };
}

/** The replica role bypasses the trigger that protects the ledger. */
const removeAll = ({ sql }) =>
  sql('SET session_replication_role = replica', 'TRUNCATE users, referrals, entry_ledger, user_consent, purchases RESTART IDENTITY CASCADE');

/** All sides start with the same pending purchases, right after a checkpoint. */
export function beginConfirming(database) {
  removeAll(database);
  // A baseline may be a build whose purchases name no raffle.
  const namesRaffle = database.number("SELECT count(*) FROM information_schema.columns WHERE table_name = 'purchases' AND column_name = 'landing_page'") > 0;
  const raffle = namesRaffle ? { column: 'landing_page,', value: "'garden-bag'," } : { column: '', value: '' };
  database.sql(
    `INSERT INTO users (id, person_salt, person_tag, phone_number, referral_code, landing_page)
     SELECT n, decode(repeat('07', 32), 'hex'), decode(repeat('07', 32), 'hex'), '+1' || (2000000000 + n), translate(lpad(to_hex(n), 8, '0'), '0123456789abcdef', 'CDFGHJKMNPQRTVWX'), 'garden-bag' FROM generate_series(1, ${ENTRANTS}) AS n`,
    `INSERT INTO purchases (user_id, ${raffle.column} package_id, stripe_payment_intent_id, amount, entries_added, event_id)
     SELECT (n - 1) % ${ENTRANTS} + 1, ${raffle.value} 1, 'pi_' || n, ${PRICE}, 10, 'event-' || n FROM generate_series(1, ${PURCHASES}) AS n`,
  );
  database.sql('VACUUM ANALYZE users', 'VACUUM ANALYZE purchases', 'CHECKPOINT');
}

export async function confirm(database, server, seconds) {
  beginConfirming(database);
  const args = [PURCHASES, ENTRANTS, THREADS];
  const result = await wrkWithoutErrors(`${server.url}/api/confirm-payment`, 'payments.lua', { connections: CONNECTIONS, threads: THREADS, seconds, args });
  proveCredits(database, result.answered);
  return result;
}

/** Checks that at least `least` purchases are completed, and that the ledger and the counters contain exactly these. */
export function proveCredits({ number }, least) {
  const completed = number(`SELECT count(*) FROM purchases WHERE status = 'completed'`);
  const ledger = number(`SELECT count(*) FROM entry_ledger WHERE kind = 'purchase' AND delta = 10`);
  const counters = number('SELECT sum(paid_entries) / 10 FROM users');
  if (completed < least || ledger !== completed || counters !== completed) {
    throw new Error(`${least} confirmations: ${completed} completed, ${ledger} in the ledger, ${counters} in the counters`);
  }
}
