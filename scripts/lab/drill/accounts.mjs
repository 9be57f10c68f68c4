// Compares what visitors were told, and what the provider of texts took, with what the database has.

const countOf = (values) => {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

/** What is there never, and what is there more than once, of what must be there once. */
function once(what, expected, found) {
  const counts = countOf(found);
  const lost = expected.filter((one) => !counts.has(one));
  const doubled = expected.filter((one) => counts.get(one) > 1);
  return { what, acknowledged: expected.length, lost, doubled };
}

const rows = async (databases, sql) => databases.query(sql, 'tombola');

/** A sign-up has its entrant, with the id that was answered, and one row of the ledger. */
async function signUps(databases, crowd) {
  const found = await rows(databases, "SELECT phone_number || ' ' || users.id FROM users JOIN entry_ledger ON user_id = users.id AND kind = 'base'");
  return once('sign-ups', crowd.signUps.map(({ phone, id }) => `${phone} ${id}`), found);
}

async function referrals(databases, crowd) {
  const found = await rows(databases, "SELECT user_id || ' ' || cause_id FROM entry_ledger WHERE kind = 'referral' AND delta > 0");
  return once('entries for friends', crowd.signUps.filter(({ friend }) => friend).map(({ friend, id }) => `${friend} ${id}`), found);
}

async function views(databases, crowd) {
  return once('page views', crowd.views, await rows(databases, 'SELECT session_id FROM page_views'));
}

async function purchases(databases, crowd) {
  const found = await rows(databases, "SELECT stripe_payment_intent_id FROM purchases JOIN entry_ledger ON cause_id = purchases.id AND kind = 'purchase'");
  return once('purchases', crowd.payments, found);
}

/** A number gets one text in the whole run. Numbers that nobody was told about may get one, too, but never two. */
function texts(expected, taken) {
  const account = once('texts', expected, taken);
  account.doubled = [...countOf(taken)].filter(([, count]) => count > 1).map(([number]) => number);
  return account;
}

export const credits = (databases, crowd) => Promise.all([signUps, referrals, purchases].map((account) => account(databases, crowd)));

export const openPurchases = async (databases, crowd) => (await purchases(databases, crowd)).lost.length;

export const accounts = async (databases, crowd, expectedTexts, takenTexts) => ({
  credits: await credits(databases, crowd),
  views: await views(databases, crowd),
  texts: texts(expectedTexts, takenTexts),
});
