// Estimates: the time to estimate a campaign to all entrants, and how much of the sender's lease is left while such a
// campaign begins. Run by scripts/lab/bench/run.sh.
import { setTimeout as delay } from 'node:timers/promises';
import { call, hashedPassword, signIn, startServer } from './server.mjs';
import { asMs, atLeast, atMost, bench, circumstances, makeDatabase, median, say, table, whole } from './tools.mjs';

const ENTRANTS = Number(process.env.BENCH_RECIPIENTS ?? 1_000_000);
const ROUNDS = 3;
const ESTIMATES = 7;
const TARGET = { estimateMs: 2_000, leaseLostTimes: 0, leaseLeftMs: 1_000 };
const MESSAGE = 'The June draw is open: {LINK} Reply STOP to get no more texts.';
// Nothing listens there: no text is sent.
const SENDING = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: '0'.repeat(32), TWILIO_PHONE_NUMBER: '+15550000000', TWILIO_API_BASE: 'http://127.0.0.1:9', SMS_QUIET_HOURS: 'off', SMS_MONTHLY_CAP: 100 };

function seed(database) {
  database.sql(`
    WITH entrant AS (
      INSERT INTO users (phone_number, referral_code, landing_page)
      SELECT '+1' || (2000000000 + (n::bigint * 7368787) % 1000000007), upper(lpad(to_hex(n), 8, '0')), 'garden-bag' FROM generate_series(1, ${ENTRANTS}) AS n
      RETURNING id, created_at
    )
    INSERT INTO user_consent (user_id, consent_type, version, act, granted, granted_at) SELECT id, 'sms_campaigns', 'benchmark', 'form', true, created_at FROM entrant`);
  database.sql('VACUUM (ANALYZE)', 'CHECKPOINT');
}

async function estimateOnce(server, token, body) {
  const began = performance.now();
  const { recipients } = await call(server, '/api/admin/sms/campaigns/estimate', { token, body });
  if (recipients !== ENTRANTS) throw new Error(`${recipients} recipients were counted, expected ${ENTRANTS}`);
  return performance.now() - began;
}

/** How long the campaign took to begin, the least time that was left of the lease meanwhile, and how often it was lost. */
async function beginOnce(database, server, token, body) {
  const fence = () => database.number('SELECT fence FROM sms_dispatcher');
  const leaseLeft = () => database.number('SELECT coalesce(extract(epoch FROM expires_at - now()) * 1000, 0)::bigint FROM sms_dispatcher');
  while (leaseLeft() < TARGET.leaseLeftMs) await delay(50);
  const before = fence();
  const { id } = await call(server, '/api/admin/sms/campaigns/schedule', { token, body: { ...body, campaignName: 'June', scheduledDate: new Date().toISOString() } });
  const pending = `SELECT count(*) FROM sms_scheduled_campaigns WHERE id = ${id} AND status = 'pending'`;
  const began = performance.now();
  let least = Infinity;
  while (database.number(pending) > 0) {
    least = Math.min(least, leaseLeft());
    await delay(20);
  }
  const round = { ms: performance.now() - began, least, lost: fence() - before };
  say(`begun after ${asMs(round.ms)}, least left of the lease ${asMs(round.least)}, lost ${round.lost} times`);
  return round;
}

const report = (database, estimates, rounds) =>
  [
    '## Estimates',
    '',
    circumstances('estimate', database),
    `A campaign to ${whole(ENTRANTS)} entrants: the estimate, median of ${ESTIMATES}, and the sender's lease of 4 s while ${ROUNDS} such campaigns begin one after another.`,
    '',
    table(
      ['figure', 'measured', 'target', ''],
      [
        atMost(`estimate for ${whole(ENTRANTS)} entrants`, median(estimates), TARGET.estimateMs, asMs),
        atMost('lease lost while the campaigns begin', Math.max(...rounds.map(({ lost }) => lost)), TARGET.leaseLostTimes, whole),
        atLeast('least left of the lease meanwhile', Math.min(...rounds.map(({ least }) => least)), TARGET.leaseLeftMs, asMs),
      ],
    ),
  ].join('\n');

await bench(async () => {
  const database = makeDatabase('estimate');
  try {
    say(`inserting ${whole(ENTRANTS)} entrants`);
    seed(database);
    const server = await startServer(database, { ...hashedPassword(), ...SENDING });
    try {
      const token = await signIn(server);
      const template = await call(server, '/api/admin/sms/templates', { token, body: { name: 'June', landingPage: 'garden-bag', messageTemplate: MESSAGE } });
      const body = { templateId: template.id, targetAudience: 'all' };
      const estimates = [];
      for (let n = 0; n < ESTIMATES; n += 1) estimates.push(await estimateOnce(server, token, body));
      const rounds = [];
      for (let n = 0; n < ROUNDS; n += 1) rounds.push(await beginOnce(database, server, token, body));
      console.log(report(database, estimates, rounds));
    } finally {
      await server.stop();
    }
  } finally {
    database.drop();
  }
});
