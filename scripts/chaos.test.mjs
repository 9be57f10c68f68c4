import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accounts, openPurchases } from './drill/accounts.mjs';

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
