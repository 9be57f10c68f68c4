import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layerProblems, table, unusedProblems } from './check-layers.mjs';

const dependency = (name, kind = null, rename = null) => ({ name, kind, rename });

/** A workspace that keeps to the table, with the given crates' dependencies replaced. */
const workspace = (changed = {}) =>
  Object.entries({ ...Object.fromEntries(Object.entries(table).map(([name, allowed]) => [name, allowed.map((d) => dependency(d))])), ...changed }).map(
    ([name, dependencies]) => ({ name, dependencies }),
  );

const unused = (dependencies, files) =>
  unusedProblems([{ name: 'raffle', dependencies }], (_, folders) => folders.map((folder) => files[folder] ?? '').join('\n'));

test('a workspace that uses every allowed edge passes', () => {
  assert.deepEqual(layerProblems(workspace()), []);
});

test('a crate that the table does not list fails', () => {
  assert.deepEqual(layerProblems(workspace({ helpers: [] })), ['helpers: not listed in the table']);
});

test('a listed crate that is missing fails', () => {
  const without = workspace().filter(({ name }) => name !== 'sms');
  assert.deepEqual(layerProblems(without), ['sms: listed in the table, but not in the workspace']);
});

for (const [from, to] of [
  ['raffle', 'referral'],
  ['kernel', 'raffle'],
  ['usecases', 'store-postgres'],
  ['usecases', 'web'],
  ['web', 'store-postgres'],
  ['web', 'payments-stripe'],
  ['web', 'sms-twilio'],
  ['payments-stripe', 'sms'],
  ['app', 'fakes'],
  ['app', 'contracts'],
  ['app', 'stripe-stand-in'],
  ['app', 'twilio-stand-in'],
  ['payments-stripe', 'stripe-stand-in'],
]) {
  test(`${from} may not depend on ${to}`, () => {
    assert.deepEqual(layerProblems(workspace({ [from]: [dependency(to)] })), [`${from}: must not depend on ${to}`]);
  });
}

for (const from of ['kernel', 'raffle', 'referral', 'drawing', 'pricing', 'sms', 'analytics', 'staff', 'usecases']) {
  for (const to of ['diesel', 'actix-web', 'tokio', 'serde_json', 'reqwest']) {
    test(`${from} may not know ${to}`, () => {
      assert.deepEqual(layerProblems(workspace({ [from]: [dependency(to)] })), [`${from}: must not depend on ${to}`]);
    });
  }
}

test('web may not know diesel', () => {
  assert.deepEqual(layerProblems(workspace({ web: [dependency('diesel')] })), ['web: must not depend on diesel']);
});

test('a build dependency counts like a normal one', () => {
  assert.equal(layerProblems(workspace({ raffle: [dependency('diesel', 'build')] })).length, 1);
});

test('tests may use what the crate itself may not', () => {
  assert.deepEqual(layerProblems(workspace({ usecases: [dependency('fakes', 'dev'), dependency('tokio', 'dev')] })), []);
});

test('a dependency that nothing names fails', () => {
  assert.deepEqual(unused([dependency('serde')], { src: 'fn main() {}' }), ['raffle: normal dependency serde is not used']);
});

test('a variable, a field, a module or a comment of the same name is no use', () => {
  const source = 'let url = self.url::<u8>(); crate::url::parse(); // url::Url\n/// see url::Url\n';
  assert.equal(unused([dependency('url')], { src: source }).length, 1);
});

for (const line of ['use serde_json::json;', 'serde_json::json!({})', '#[serde_json::it]', 'use ::serde_json as j;', 'extern crate serde_json;']) {
  test(`\`${line}\` is a use`, () => {
    assert.deepEqual(unused([dependency('serde-json')], { src: line }), []);
  });
}

test('a normal dependency that only tests use fails', () => {
  assert.equal(unused([dependency('hex')], { tests: 'use hex::encode;' }).length, 1);
});

test('a dev-dependency may be used in tests or benches', () => {
  assert.deepEqual(unused([dependency('insta', 'dev'), dependency('divan', 'dev')], { tests: 'insta::assert!();', benches: 'use divan::Bencher;' }), []);
});

test('a dev-dependency that nothing names fails', () => {
  assert.deepEqual(unused([dependency('insta', 'dev')], {}), ['raffle: dev dependency insta is not used']);
});

test('a renamed dependency is looked for under its new name', () => {
  assert.deepEqual(unused([dependency('hmac', null, 'mac')], { src: 'use mac::Mac;' }), []);
});

test('a link-only dependency needs no mention', () => {
  assert.deepEqual(unused([dependency('pq-sys')], {}), []);
});
