import assert from 'node:assert/strict';
import { test } from 'node:test';
import { featureProblems, parseTree } from './features.mjs';

const tree = (...lines) => parseTree(lines.join('\n'));

test('a tree becomes names, versions and features', () => {
  const parsed = tree('serde v1.0.0\tderive,std', 'app v0.1.0 (/a path/app)\t', '', '[dev-dependencies]');
  assert.deepEqual([...parsed], [['serde v1.0.0', new Set(['derive,std'])], ['app v0.1.0', new Set([''])]]);
});

test('a crate that the tree repeats counts once', () => {
  assert.deepEqual([...tree('serde v1.0.0\tstd', 'serde v1.0.0\tstd (*)', 'serde v1.0.0\t', 'serde v1.0.0\t (*)')], [['serde v1.0.0', new Set(['std', ''])]]);
});

test('two builds with the same features pass', () => {
  assert.deepEqual(featureProblems('-p tombola', tree('serde v1.0.0\tstd'), tree('serde v1.0.0\tstd', 'tempfile v3.0.0\t')), []);
});

test('a feature that only the tests turn on fails and is named', () => {
  assert.deepEqual(featureProblems('-p tombola', tree('serde v1.0.0\tstd'), tree('serde v1.0.0\talloc,rc,std')), [
    'serde v1.0.0: cargo build -p tombola compiles it without alloc, rc, the tests compile it with them',
  ]);
});

test('a feature that the tests do not turn on fails', () => {
  assert.deepEqual(featureProblems('-p tombola', tree('serde v1.0.0\trc,std'), tree('serde v1.0.0\tstd')), [
    'serde v1.0.0: cargo build -p tombola compiles it with rc,std, the tests compile it with fewer',
  ]);
});

test('two versions of one crate are two crates', () => {
  assert.deepEqual(featureProblems('-p tombola', tree('syn v2.0.0\tfull'), tree('syn v2.0.0\tfull', 'syn v3.0.0\tparsing')), []);
});
