import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { test } from 'node:test';
import { freePorts } from '../processes.mjs';
import { accounts, openPurchases } from './drill/accounts.mjs';
import { Crowd, judge } from './drill/crowd.mjs';
import { kinds, lines, more, passes } from './drill/report.mjs';

const crowd = {
  signUps: [{ phone: '+1', id: 7 }, { phone: '+2', id: 8, friend: 7 }],
  views: ['a', 'b'],
  payments: ['pi_1', 'pi_2'],
};

/** A database that answers each statement of the accounts with rows of this kind. */
const database = (rows) => ({ query: async (sql) => rows[['page_views', 'purchases', 'referral', 'base'].find((word) => sql.includes(word))] });

const complete = { base: ['+1 7', '+2 8', '+3 9'], referral: ['7 8'], purchases: ['pi_1', 'pi_2'], page_views: ['a', 'b', 'c'] };

const figures = async (rows, expectedTexts, takenTexts) => {
  const { credits, views, texts } = await accounts(database({ ...complete, ...rows }), crowd, expectedTexts, takenTexts);
  return Object.fromEntries([...credits, views, texts].map(({ what, lost, doubled }) => [what, [lost.join(), doubled.join()]]));
};

test('nothing is lost or doubled when everything acknowledged is there once, and more besides', async () => {
  const all = await figures({}, ['+1'], ['+1', '+9']);
  assert.deepEqual(new Set(Object.values(all).flat()), new Set(['']));
});

test('a sign-up that has another id is lost, and two rows of the ledger are doubled', async () => {
  assert.deepEqual((await figures({ base: ['+1 6', '+2 8', '+2 8'] }, [], []))['sign-ups'], ['+1 7', '+2 8']);
});

test('entries for friends, purchases and views are counted in the same way', async () => {
  const all = await figures({ referral: [], purchases: ['pi_1', 'pi_1'], page_views: ['b', 'b'] }, [], []);
  assert.deepEqual(all['entries for friends'], ['7 8', '']);
  assert.deepEqual(all.purchases, ['pi_2', 'pi_1']);
  assert.deepEqual(all['page views'], ['a', 'b']);
});

test('a text that nobody expected is doubled when it was sent twice', async () => {
  assert.deepEqual((await figures({}, ['+1'], ['+9', '+9'])).texts, ['+1', '+9']);
});

test('a paid purchase is open until the ledger has it', async () => {
  assert.equal(await openPurchases(database({ ...complete, purchases: ['pi_2'] }), crowd), 1);
});

const BUYING = '/api/stripe/create-payment-intent';
const OURS = { isOurs: true, path: BUYING, wasProviderAway: false };

test('a 502 is right only of buying, and only while Stripe is away', () => {
  const bad = { ...OURS, status: 502 };
  assert.equal(judge({ ...bad, wasProviderAway: true }), 'provider');
  assert.equal(judge({ ...bad, wasProviderAway: true, path: '/api/confirm-payment' }), 'provider');
  assert.equal(judge(bad), 'wrong');
  assert.equal(judge({ ...bad, wasProviderAway: true, path: '/api/users/register' }), 'wrong');
});

test('409, 429 and 503 say when to try again; any other error of a server is wrong, also while Stripe is away', () => {
  for (const status of [409, 429, 503]) assert.equal(judge({ ...OURS, status }), 'busy');
  for (const status of [400, 404, 500, 504]) assert.equal(judge({ ...OURS, status, wasProviderAway: true }), 'wrong');
});

test('an answer without an id is the one of the proxy', () => {
  assert.equal(judge({ ...OURS, isOurs: false, status: 502 }), 'proxy');
});

/** A site that answers every request in this way, and the visitors who got that answer. */
async function visited(status, headers, { isProviderAway = false } = {}) {
  const site = createServer((request, response) => response.writeHead(status, headers).end('{"code":"some_code"}')).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const visitors = new Crowd(`http://127.0.0.1:${site.address().port}`, {});
  visitors.isProviderAway = isProviderAway;
  const answered = once(site, 'request');
  visitors.start();
  await answered;
  await visitors.stop();
  site.close();
  return visitors;
}

const result = (crowd, more) => ({ rows: [], accounts: [], crowd, ended: [], isVerified: true, ...more });

test('a 502 of entering fails the run, also while Stripe is away', async () => {
  const visitors = await visited(502, { 'x-request-id': 'a' }, { isProviderAway: true });
  assert.ok(visitors.answers.wrong > 0);
  assert.equal(visitors.answers.provider, 0);
  assert.equal(passes(result(visitors)), false);
  assert.match(lines(result(visitors)).join('\n'), /\/api\/users\/register: 502/);
});

test('busy answers pass, and the report has their kinds', async () => {
  const visitors = await visited(503, { 'x-request-id': 'a' });
  assert.ok(visitors.answers.busy > 0);
  assert.equal(passes(result(visitors)), true);
  assert.match(lines(result(visitors)).join('\n'), /\d+ 503 some_code/);
});

test('the busy answers of a fault are those since it began', () => {
  const busy = { '429 a': 3, '503 b': 2 };
  assert.equal(kinds(more({ '429 a': 3 }, busy)), 'answers 409, 429 and 503: 2 503 b');
  assert.equal(kinds(more(busy, busy)), 'answers 409, 429 and 503: none');
});

test('a run fails if something is lost or doubled, a server ended, or the ledger is wrong', () => {
  const visitors = { answers: { wrong: 0 } };
  const account = { what: 'texts', acknowledged: 1, lost: [], doubled: [] };
  assert.equal(passes(result(visitors, { accounts: [account] })), true);
  assert.equal(passes(result(visitors, { accounts: [{ ...account, lost: ['+1'] }] })), false);
  assert.equal(passes(result(visitors, { accounts: [{ ...account, doubled: ['+1'] }] })), false);
  assert.equal(passes(result(visitors, { ended: ['server-0: panicked'] })), false);
  assert.equal(passes(result(visitors, { isVerified: false })), false);
});

test('ports that a stopped program gets back are none of outgoing connections', async () => {
  const ports = await freePorts(20);
  assert.equal(new Set(ports).size, 20);
  assert.ok(ports.every((port) => port >= 15_000 && port < 30_000));
});
