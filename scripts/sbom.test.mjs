import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { npmSbom, rustSbom } from './sbom.mjs';

test('every crate of Cargo.lock is listed once, with its hash and its dependencies', () => {
  const lock = readFileSync('Cargo.lock', 'utf8');
  const expected = [...lock.matchAll(/^name = "(.+)"\nversion = "(.+)"$/gm)].map(([, name, version]) => `${name}@${version}`);
  const bom = rustSbom();
  assert.deepEqual(bom.components.map(({ name, version }) => `${name}@${version}`).sort(), expected.sort());
  assert.ok(expected.length > 100);
  const hashes = bom.components.filter(({ hashes }) => hashes).length;
  assert.equal(hashes, lock.match(/^checksum = /gm).length);
  const references = new Set(bom.components.map((component) => component['bom-ref']));
  for (const { ref, dependsOn } of bom.dependencies) for (const name of [ref, ...dependsOn]) assert.ok(references.has(name), name);
});

for (const folder of ['frontend', 'scripts/postgres']) {
  test(`every package of ${folder}/package-lock.json is listed`, () => {
    const { packages } = JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8'));
    const listed = new Set(npmSbom(folder).components.map(({ name, group, version }) => `${group ? `${group}/` : ''}${name}@${version}`));
    const missing = Object.entries(packages)
      .filter(([path]) => path !== '')
      .map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`)
      .filter((wanted) => !listed.has(wanted));
    assert.deepEqual(missing, []);
  });
}
