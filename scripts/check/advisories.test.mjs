import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkNpm, checkRust, describe, run } from './advisories.mjs';

const done = (stdout = '', stderr = '', status = 0) => ({ status, stdout, stderr });

/** Answers by the arguments of each call; anything else is not installed. */
const runner = (answers) => (_, args) => answers[args.join(' ')] ?? done('', 'error: no such command', 101);

const DENY = { 'deny --version': done('cargo-deny 0.19'), 'deny fetch db': done() };
const rust = (answers) => checkRust(runner(answers));
const npm = (answer) => checkNpm('frontend', runner({ 'audit --json --package-lock-only': answer }));

test('without a tool for Rust the check says which one to install', () => {
  assert.match(describe(rust({})), /^skipped, because .*cargo install --locked cargo-deny/);
  assert.equal(run('no-such-program', []).status, null);
});

test('a database that cannot be fetched is no finding', () => {
  const offline = { ...DENY, 'deny fetch db': done('', 'x\nfailed to fetch advisory database', 1) };
  assert.deepEqual(rust(offline), { skipped: 'the database of advisories cannot be fetched: failed to fetch advisory database' });
  assert.match(rust({ ...DENY, 'deny fetch db': done('', 'spawnSync cargo ETIMEDOUT', null) }).skipped, /ETIMEDOUT/);
});

test('whatever cargo-deny fails with is a finding', () => {
  const check = (answer) => rust({ ...DENY, 'deny check --disable-fetch advisories': answer });
  assert.deepEqual(check(done()), {});
  assert.equal(describe(check(done())), 'no advisory');
  for (const says of ['error[vulnerability]: RUSTSEC-2026-0001', 'deny.toml is wrong', '']) assert.deepEqual(check(done('', says, 1)), { found: says });
});

test('npm: only a report counts', () => {
  assert.deepEqual(npm(done('{ "auditReportVersion": 2, "vulnerabilities": {} }')), {});
  const report = '{ "auditReportVersion": 2, "vulnerabilities": { "left": { "severity": "low" } } }';
  assert.deepEqual(npm(done(report, '', 1)), { found: report });
  assert.deepEqual(npm(done('{ "message": "405 Method Not Allowed" }', 'npm error', 1)), { skipped: '405 Method Not Allowed' });
  assert.deepEqual(npm(done('', 'npm error ENOTFOUND', 1)), { skipped: 'npm error ENOTFOUND' });
  assert.deepEqual(npm(done('', '', null)), { skipped: 'npm gave no report' });
});
