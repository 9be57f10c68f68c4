// Payments: the throughput of confirming purchases compared with PostgreSQL alone, with a provider that answers immediately.
// Run by scripts/lab/bench/run.sh.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { confirmingScript, creditingScript } from './pgbench-script.mjs';
import { call, signIn, startServer } from './server.mjs';
import { SECONDS, WARM_UP_SECONDS, asMs, bench, circumstances, makeDatabase, median, pgbench, say, table, verdict, whole, wrkWithoutErrors } from './tools.mjs';

const CONNECTIONS = 32;
const THREADS = 2;
const ROUNDS = 3;
const TARGET = 0.75;
const ENTRANTS = 10_000;
const PURCHASES = Math.ceil(SECONDS) * 12_000;  // more than either side can confirm
const KEYS = { STRIPE_SECRET_KEY: 'sk_test_bench', STRIPE_PUBLISHABLE_KEY: 'pk_test_bench', STRIPE_WEBHOOK_SECRET: 'whsec_bench' };
const STAND_IN = 'target/release/stripe-stand-in';
const OFFER = { name: 'Ten', description: 'Ten more', entries: 10, price: 500, isActive: true };

/** Starts the stand-in, which prints the URL that it listens on. */
async function startStandIn() {
  const child = spawn(STAND_IN, [], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [url] = await once(createInterface(child.stdout), 'line');
  return { url, stop: async () => { child.kill('SIGTERM'); await once(child, 'exit'); } };
}

/** A paid payment intent from the stand-in, in JSON, for the only user and package. */
async function paidPayment(database) {
  const standIn = await startStandIn();
  const server = await startServer(database, { ...KEYS, STRIPE_API_BASE: standIn.url });
  try {
    const token = await signIn(server);
    const { id: packageId } = await call(server, '/api/admin/entry-packages', { token, body: OFFER });
    await call(server, '/api/admin/settings', { token, body: { showPricing: true } });
    const { user } = await call(server, '/api/users/register', { body: { phoneNumber: '5551234567' } });
    const wish = { userId: user.id, packageId, amount: OFFER.price, entriesAdded: OFFER.entries };
    const { paymentIntentId } = await call(server, '/api/stripe/create-payment-intent', { body: wish });
    await call(standIn, `/control/intents/${paymentIntentId}/pay`, { body: { paymentMethod: 'pm_card_visa' } });
    const headers = { Authorization: `Bearer ${KEYS.STRIPE_SECRET_KEY}`, 'Stripe-Version': '2026-09-30.endive' };
    return await call(standIn, `/v1/payment_intents/${paymentIntentId}?expand[]=latest_charge`, { headers });
  } finally {
    await server.stop();
    await standIn.stop();
  }
}

/** A provider without latency: every payment `pi_{n}` is paid and belongs to purchase `n`. It is a minimal HTTP server, to save CPU time. */
async function startProvider(payment) {
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
  return { url: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}

/** Both sides start with the same pending purchases, right after a checkpoint. The replica role bypasses the trigger that protects the ledger. */
function begin({ sql }) {
  sql(
    'SET session_replication_role = replica',
    'TRUNCATE users, referrals, entry_ledger, user_consent, purchases RESTART IDENTITY CASCADE',
    `INSERT INTO users (id, person_salt, person_tag, phone_number, referral_code, landing_page)
     SELECT n, decode(repeat('07', 32), 'hex'), decode(repeat('07', 32), 'hex'), '+1' || (2000000000 + n), translate(lpad(to_hex(n), 8, '0'), '0123456789abcdef', 'CDFGHJKMNPQRTVWX'), 'garden-bag' FROM generate_series(1, ${ENTRANTS}) AS n`,
    `INSERT INTO purchases (user_id, package_id, stripe_payment_intent_id, amount, entries_added, event_id)
     SELECT (n - 1) % ${ENTRANTS} + 1, 1, 'pi_' || n, 500, 10, 'event-' || n FROM generate_series(1, ${PURCHASES}) AS n`,
  );
  sql('VACUUM ANALYZE users', 'VACUUM ANALYZE purchases', 'CHECKPOINT');
}

function floor(database, script, seconds) {
  begin(database);
  const rate = pgbench(database, script, { clients: CONNECTIONS, seconds, variables: { share: Math.floor(PURCHASES / CONNECTIONS), n: 0 } });
  proveCredits(database, 1);
  return rate;
}

async function product(database, server, seconds) {
  begin(database);
  const args = [PURCHASES, ENTRANTS, THREADS];
  const result = await wrkWithoutErrors(`${server.url}/api/confirm-payment`, 'payments.lua', { connections: CONNECTIONS, threads: THREADS, seconds, args });
  proveCredits(database, result.answered);
  return result;
}

/** Checks that at least `least` purchases are completed, and that the ledger and the counters contain exactly these. */
function proveCredits({ number }, least) {
  const completed = number(`SELECT count(*) FROM purchases WHERE status = 'completed'`);
  const ledger = number(`SELECT count(*) FROM entry_ledger WHERE kind = 'purchase' AND delta = 10`);
  const counters = number('SELECT sum(paid_entries) / 10 FROM users');
  if (completed < least || ledger !== completed || counters !== completed) {
    throw new Error(`${least} confirmations: ${completed} completed, ${ledger} in the ledger, ${counters} in the counters`);
  }
}

/** Alternates between all, so that other load on the machine affects them equally. */
async function compare(database, server) {
  const rounds = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const seconds = round === 0 ? WARM_UP_SECONDS : SECONDS;
    const steps = floor(database, confirmingScript(), seconds);
    const call = floor(database, creditingScript(), seconds);
    const { rate, p50, p99 } = await product(database, server, seconds);
    if (round === 0) continue;
    rounds.push({ steps, call, rate, p50, p99, ofSteps: rate / steps, ofCall: rate / call });
    say(`round ${round}: pgbench ${whole(steps)}/s in steps, ${whole(call)}/s in one call, tombola ${whole(rate)}/s`);
  }
  return (figure) => median(rounds.map((round) => round[figure]));
}

function report(database, of) {
  const row = [CONNECTIONS, whole(of('steps')), whole(of('call')), whole(of('rate')), of('ofSteps').toFixed(2), of('ofCall').toFixed(2), asMs(of('p50')), asMs(of('p99')), verdict(of('ofSteps') >= TARGET)];
  return [
    '## Payments',
    '',
    circumstances('payments', database),
    `Purchases confirmed a second, median of ${ROUNDS} alternating rounds of ${SECONDS} s, the ratio round by round; everything runs on the one machine. pgbench runs the statements of the transaction that crediting was until 2026-11-26, and the call that it is now. Target: ${TARGET} of the transaction.`,
    '',
    table(['connections', 'pgbench, transaction', 'pgbench, call', 'tombola', 'of the transaction', 'of the call', 'p50', 'p99', ''], [row]),
  ].join('\n');
}

await bench(async () => {
  const database = makeDatabase('payments');
  const provider = await startProvider(await paidPayment(database));
  database.sql('SET session_replication_role = replica', 'TRUNCATE purchases, entry_ledger, users CASCADE');   // otherwise the server first asks the provider about them
  const server = await startServer(database, { ...KEYS, STRIPE_API_BASE: provider.url });
  try {
    console.log(report(database, await compare(database, server)));
  } finally {
    await server.stop();
    provider.stop();
  }
  database.drop();
});
