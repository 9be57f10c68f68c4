import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layerProblems, layers, unusedProblems } from './layers.mjs';

const dependency = (name, kind = null, rename = null) => ({ name, kind, rename });

/** Every crate with every dependency that its layer allows; `changed` replaces the dependencies of some crates. */
function workspace(changed = {}) {
  const allowed = Object.values(layers).flatMap(({ crates, workspace, thirdParty, tests }) =>
    crates.map((name) => [name, [...[...workspace, ...thirdParty].map((crate) => dependency(crate)), ...tests.map((crate) => dependency(crate, 'dev'))]]),
  );
  return Object.entries({ ...Object.fromEntries(allowed), ...changed }).map(([name, dependencies]) => ({ name, dependencies }));
}

const layerOf = (crate) => Object.keys(layers).find((name) => layers[name].crates.includes(crate));

const unused = (dependencies, files) =>
  unusedProblems([{ name: 'raffle', dependencies }], (_, folders) => folders.map((folder) => files[folder] ?? '').join('\n'));

test('a workspace that uses everything that its layers allow passes', () => {
  assert.deepEqual(layerProblems(workspace()), []);
});

test('a crate that no layer lists fails', () => {
  assert.deepEqual(layerProblems(workspace({ helpers: [] })), [
    'helpers: belongs to no layer; add it to the `crates` of its layer in scripts/check/layers.mjs',
  ]);
});

test('a listed crate that is not in the workspace fails', () => {
  const without = workspace().filter(({ name }) => name !== 'sms');
  const problems = layerProblems(without).filter((problem) => problem.startsWith('sms:'));
  assert.deepEqual(problems, ['sms: is listed in scripts/check/layers.mjs, but is not in the workspace']);
});

for (const [from, to] of [['raffle', 'referral'], ['kernel', 'raffle'], ['usecases', 'store-postgres'], ['web', 'store-postgres'], ['app', 'fakes'], ['app', 'stripe-stand-in']]) {
  test(`${from} may not depend on ${to}`, () => {
    const expected = `${from}: may not depend on ${to}; if this layer should, add it to layers['${layerOf(from)}'].workspace in scripts/check/layers.mjs`;
    assert.deepEqual(layerProblems(workspace({ [from]: [dependency(to)] })), [expected]);
  });
}

test('no crate may depend on a third-party crate that its layer does not list, neither in the program nor in tests', () => {
  for (const from of Object.values(layers).flatMap(({ crates }) => crates)) {
    const problem = (subject, list) => `${subject} may not depend on left-pad; if this layer should, add it to layers['${layerOf(from)}'].${list} in scripts/check/layers.mjs`;
    assert.deepEqual(layerProblems(workspace({ [from]: [dependency('left-pad')] })), [problem(`${from}:`, 'thirdParty')]);
    assert.deepEqual(layerProblems(workspace({ [from]: [dependency('left-pad', 'dev')] })), [problem(`${from}: its tests`, 'tests')]);
  }
});

test('the crates inside know neither the database nor HTTP, and their tests know no database', () => {
  for (const layer of ['kernel', 'domains', 'claims', 'drawing', 'push', 'usecases']) {
    const { thirdParty, tests } = layers[layer];
    for (const name of ['diesel', 'actix-web', 'reqwest', 'redis']) assert.ok(!thirdParty.includes(name), `${layer} has ${name}`);
    for (const name of ['diesel', 'r2d2', 'store-postgres']) assert.ok(!tests.includes(name), `the tests of ${layer} have ${name}`);
  }
});

test('a domain is tested without the flows and the fakes', () => {
  for (const layer of ['domains', 'claims', 'drawing', 'push']) {
    for (const name of ['contracts', 'fakes', 'usecases']) assert.ok(!layers[layer].tests.includes(name), `the tests of ${layer} have ${name}`);
  }
});

for (const [what, changed, count] of [
  ['a build dependency counts like a normal one', { raffle: [dependency('diesel', 'build')] }, 1],
  ['a crate that only tests may use fails as a normal dependency', { usecases: [dependency('fakes')] }, 1],
  ['tests may also use what the crate itself may use', { usecases: [dependency('chrono', 'dev'), dependency('fakes', 'dev')] }, 0],
]) {
  test(what, () => assert.equal(layerProblems(workspace(changed)).length, count));
}

const NO_USE = 'let url = self.url::<u8>(); crate::url::parse(); // url::Url\n/// see url::Url\n';
for (const [what, used, files, problem] of [
  ['a dependency that no source line uses fails', dependency('serde'), { src: 'fn main() {}' }, 'normal dependency serde is not used'],
  ['a variable, a field, a module or a comment with the same name is not a use', dependency('url'), { src: NO_USE }, 'normal dependency url is not used'],
  ['a normal dependency that only tests use fails', dependency('hex'), { tests: 'use hex::encode;' }, 'normal dependency hex is not used'],
  ['a dev-dependency that no source line uses fails', dependency('insta', 'dev'), {}, 'dev dependency insta is not used'],
  ['a dev-dependency may be used in tests', dependency('insta', 'dev'), { tests: 'insta::assert!();' }],
  ['a dev-dependency may be used in benches', dependency('divan', 'dev'), { benches: 'use divan::Bencher;' }],
  ['a renamed dependency is searched for under its new name', dependency('hmac', null, 'mac'), { src: 'use mac::Mac;' }],
  ['a link-only dependency does not have to be used', dependency('pq-sys'), {}],
  ...['use serde_json::json;', 'serde_json::json!({})', '#[serde_json::it]', 'use ::serde_json as j;', 'extern crate serde_json;'].map((line) => [
    `\`${line}\` is a use`, dependency('serde-json'), { src: line },
  ]),
]) {
  test(what, () => assert.deepEqual(unused([used], files), problem ? [`raffle: ${problem}`] : []));
}
