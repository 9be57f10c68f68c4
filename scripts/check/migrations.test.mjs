import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderProblems } from './migrations.mjs';

test('released migrations stay as they are, and new ones come after them', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const write = (name, up) => {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'up.sql'), up);
  };
  const released = { '0002_b': createHash('sha256').update('SELECT 2;').digest('hex') };
  write('0002_b', 'SELECT 2;');
  write('0003_c', 'SELECT 3;');
  assert.deepEqual(folderProblems(folder, {}), []);
  assert.deepEqual(folderProblems(folder, released), []);

  write('0001_a', 'SELECT 1;');
  write('0002_b', 'SELECT 2; SELECT 2;');
  write('notes', 'SELECT 1;');
  assert.deepEqual(folderProblems(folder, { ...released, '0000_gone': '' }), [
    '0002_b: was released and must not change: add another migration',
    '0000_gone: was released and must not change: add another migration',
    '0001_a: comes before 0002_b, which was released',
    'notes: is not called NNNN_name',
  ]);
});
