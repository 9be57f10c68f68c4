import assert from 'node:assert/strict';
import { test } from 'node:test';
import { confirmingScript, enteringScript, pageViewScript } from './bench/pgbench-script.mjs';

// The scripts are made from the server's statements, which change without the benchmarks being run.
test('every parameter of the statements that pgbench runs has a value', () => {
  for (const script of [enteringScript(), confirmingScript(), pageViewScript()]) assert.doesNotMatch(script, /\$\d/);
});
