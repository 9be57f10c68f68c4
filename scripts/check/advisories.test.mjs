import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkNpm, checkRust, report } from './advisories.mjs';

const done = (stdout = '', stderr = '', status = 0) => ({ status, stdout, stderr });

/** Answers by the arguments of each call; anything else is not installed. */
const runner = (answers) => (_, args) => answers[args.join(' ')] ?? done('', 'error: no such command', 101);

const DENY = { 'deny --version': done('cargo-deny 0.19'), 'deny fetch db': done() };
const DENY_CHECK = 'deny --format json check --disable-fetch advisories';
const NPM = 'audit --json --package-lock-only';

test('without a tool for Rust the check says which one to install', () => {
  assert.match(checkRust(runner({})).skipped, /cargo install --locked cargo-deny/);
});

test('a database that cannot be fetched is no finding', () => {
  const offline = runner({ ...DENY, 'deny fetch db': done('', 'x\nfailed to fetch advisory database', 1) });
  assert.deepEqual(checkRust(offline), { found: [], skipped: 'the database of advisories cannot be fetched: failed to fetch advisory database' });
  const late = runner({ ...DENY, 'deny fetch db': { ...done('', '', null), failed: 'no answer within 60 s' } });
  assert.match(checkRust(late).skipped, /no answer within 60 s/);
});

test('findings of cargo-deny are listed, and a failure without one is a finding too', () => {
  assert.deepEqual(checkRust(runner({ ...DENY, [DENY_CHECK]: done() })), { found: [] });
  const lines = [
    { type: 'diagnostic', fields: { severity: 'error', message: 'a hole', advisory: { id: 'RUSTSEC-2026-0001', package: 'h2' } } },
    { type: 'diagnostic', fields: { severity: 'note', message: 'a note' } },
    { type: 'summary', fields: {} },
  ];
  const stderr = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
  const found = checkRust(runner({ ...DENY, [DENY_CHECK]: done('', stderr, 1) }));
  assert.deepEqual(found, { found: ['RUSTSEC-2026-0001 h2 a hole'] });
  const broken = checkRust(runner({ ...DENY, [DENY_CHECK]: done('', 'deny.toml is wrong', 1) }));
  assert.deepEqual(broken, { found: ['deny.toml is wrong'] });
});

test('npm: only a report counts, and every finding in it', () => {
  const npm = (answer) => checkNpm('frontend', runner({ [NPM]: answer }));
  assert.deepEqual(npm(done(JSON.stringify({ auditReportVersion: 2, vulnerabilities: {} }))), { found: [] });
  const vulnerabilities = {
    left: { name: 'left', severity: 'low', range: '<2', via: [{ title: 'a hole' }, 'right'] },
  };
  const reported = done(JSON.stringify({ auditReportVersion: 2, vulnerabilities }), '', 1);
  assert.deepEqual(npm(reported), { found: ['left <2 (low): a hole; through right'] });
  const refused = done(JSON.stringify({ message: '405 Method Not Allowed', error: { summary: '' } }), 'npm error', 1);
  assert.deepEqual(npm(refused), { found: [], skipped: '405 Method Not Allowed' });
  assert.deepEqual(npm(done('', 'npm error ENOTFOUND', 1)), { found: [], skipped: 'npm error ENOTFOUND' });
});

test('only findings fail, and every result is told', () => {
  const lines = [];
  const print = (line) => lines.push(line);
  assert.equal(report([['a', { found: [] }], ['b', { found: [], skipped: 'no network' }]], print), false);
  assert.equal(report([['c', { found: ['a hole'] }]], print), true);
  assert.deepEqual(lines, [
    'check-advisories: a: no advisory',
    'check-advisories: b: skipped, because no network',
    'check-advisories: c: a hole',
  ]);
});
