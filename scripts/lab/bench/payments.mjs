// Payments: the throughput of confirming purchases compared with PostgreSQL alone, with a provider that answers immediately.
import { CONNECTIONS, PURCHASES, beginConfirming, confirm, proveCredits, startPaymentProvider } from './confirming.mjs';
import { confirmingScript } from './pgbench-script.mjs';
import { withServer } from './server.mjs';
import { SECONDS, WARM_UP_SECONDS, asMs, asTimes, atLeast, bench, circumstances, inTurn, makeDatabase, pgbench, section, table, whole } from './tools.mjs';

const ROUNDS = 3;
const TARGET = 0.6;

function floor(database, seconds) {
  beginConfirming(database);
  const rate = pgbench(database, confirmingScript(), { clients: CONNECTIONS, seconds, variables: { share: Math.floor(PURCHASES / CONNECTIONS), n: 0 } });
  proveCredits(database, 1);
  return { rate };
}

const report = (database, { of, ratio }) =>
  section(
    'Payments',
    circumstances('payments', database),
    `Purchases confirmed a second over ${CONNECTIONS} connections, median of ${ROUNDS} alternating rounds of ${SECONDS} s, the ratio round by round; everything runs on the one machine. pgbench runs the same statements.`,
    table(['pgbench', 'tombola', 'p50', 'p99'], [[whole(of('floor', 'rate')), whole(of('tombola', 'rate')), asMs(of('tombola', 'p50')), asMs(of('tombola', 'p99'))]]),
    table(
      ['figure', 'measured', 'target', ''],
      [atLeast('of pgbench', ratio('tombola', 'floor'), TARGET, asTimes)],
    ),
  );

await bench(async () => {
  const database = makeDatabase('payments');
  const provider = await startPaymentProvider(database);
  const results = await withServer(database, provider.settings, async (server) => {
    await confirm(database, server, WARM_UP_SECONDS);
    return inTurn(ROUNDS, {
      floor: () => floor(database, SECONDS),
      tombola: () => confirm(database, server, SECONDS),
    });
  }).finally(provider.stop);
  console.log(report(database, results));
  database.drop();
});
