import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layerProblems, layers, unusedProblems } from './layers.mjs';

const dependency = (name, kind = null, rename = null) => ({ name, kind, rename });

const folders = {
  kernel: 'domain', raffle: 'domain', referral: 'domain', usecases: 'flows', 'store-postgres': 'adapters', 'beacon-drand': 'adapters', web: 'http',
  tombola: 'app', contracts: 'testing', fakes: 'testing', 'stand-ins': 'testing',
};

/** A workspace in which only one crate has dependencies. */
const workspace = (from, ...dependencies) =>
  Object.entries(folders).map(([name, layer]) => ({ name, manifest_path: `/crates/${layer}/${name}/Cargo.toml`, dependencies: name === from ? dependencies : [] }));

const problems = (from, to, kind = null) => layerProblems(workspace(from, dependency(to, kind)));

const unused = (dependencies, files) =>
  unusedProblems([{ name: 'raffle', dependencies }], (_, folders) => folders.map((folder) => files[folder] ?? '').join('\n'));

for (const [from, to] of [
  ['raffle', 'kernel'], ['referral', 'raffle'], ['usecases', 'referral'], ['store-postgres', 'referral'], ['web', 'usecases'], ['tombola', 'store-postgres'],
  ['contracts', 'fakes'], ['raffle', 'chrono'], ['store-postgres', 'diesel'], ['web', 'actix-web'], ['tombola', 'redis'], ['stand-ins', 'reqwest'], ['web', 'left-pad'],
]) {
  test(`${from} may depend on ${to}, and so may its tests`, () => {
    assert.deepEqual([...problems(from, to), ...problems(from, to, 'dev')], []);
  });
}

for (const [from, to] of [
  ['kernel', 'raffle'], ['raffle', 'referral'], ['referral', 'usecases'], ['usecases', 'store-postgres'], ['store-postgres', 'beacon-drand'], ['store-postgres', 'usecases'],
  ['web', 'store-postgres'], ['tombola', 'fakes'], ['fakes', 'store-postgres'], ['raffle', 'left-pad'], ['usecases', 'left-pad'], ['raffle', 'diesel'], ['raffle', 'reqwest'],
  ['usecases', 'actix-web'], ['web', 'diesel'], ['web', 'reqwest'], ['store-postgres', 'actix-web'], ['store-postgres', 'redis'], ['fakes', 'diesel'],
]) {
  test(`${from} may not depend on ${to}, and neither may its tests`, () => {
    const rule = `scripts/check/layers.mjs, ${folders[from]}`;
    assert.deepEqual(problems(from, to), [`${from}: it may not depend on ${to}: ${rule}`]);
    assert.deepEqual(problems(from, to, 'build'), [`${from}: it may not depend on ${to}: ${rule}`]);
    assert.deepEqual(problems(from, to, 'dev'), [`${from}: its tests may not depend on ${to}: ${rule}`]);
  });
}

for (const [from, to] of [['raffle', 'proptest'], ['usecases', 'fakes'], ['store-postgres', 'contracts'], ['beacon-drand', 'stand-ins'], ['web', 'fakes'], ['tombola', 'diesel']]) {
  test(`only the tests of ${from} may depend on ${to}`, () => {
    assert.equal(problems(from, to).length, 1);
    assert.deepEqual(problems(from, to, 'dev'), []);
  });
}

test('a domain is tested without the flows and the fakes', () => {
  for (const name of ['contracts', 'fakes', 'usecases']) assert.ok(!layers.domain.tests.includes(name), name);
});

test('a crate in a folder that is no layer fails', () => {
  const helpers = { name: 'helpers', manifest_path: '/crates/misc/helpers/Cargo.toml', dependencies: [] };
  assert.deepEqual(layerProblems([helpers]), ['helpers: crates/misc is no layer of scripts/check/layers.mjs']);
});

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
