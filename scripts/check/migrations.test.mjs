import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderProblems, scriptProblems, statementsIn } from './migrations.mjs';

const rulesBroken = (script, options) => scriptProblems(script, options).map((problem) => problem.split(':')[0]);

for (const [what, script, rule] of [
  ['a dropped table', 'DROP TABLE tags;', 'drop'],
  ['a dropped column among other changes', 'ALTER TABLE users ADD COLUMN a int, DROP COLUMN b;', 'drop'],
  ['a renamed column', 'ALTER TABLE users RENAME COLUMN a TO b;', 'rename'],
  ['another type', 'ALTER TABLE users ALTER COLUMN id TYPE uuid USING id::uuid;', 'type'],
  ['a column that becomes NOT NULL', 'ALTER TABLE users ALTER COLUMN a SET NOT NULL;', 'not-null'],
  ['a NOT NULL column without a default', 'ALTER TABLE users ADD COLUMN a int NOT NULL;', 'not-null'],
  ['a default on another column', 'ALTER TABLE users ADD COLUMN a int NOT NULL, ADD COLUMN b int DEFAULT 1;', 'not-null'],
  ['a constraint that is checked at once', 'ALTER TABLE users ADD CONSTRAINT a_positive CHECK (a > 0);', 'constraint'],
  ['a unique constraint', 'ALTER TABLE users ADD CONSTRAINT a_key UNIQUE (a, b);', 'constraint'],
  ['an index that stops writers', 'CREATE UNIQUE INDEX a_idx ON users (a);', 'index'],
  ['a change of all rows', 'update users set a = 1;', 'data'],
  ['a statement without a semicolon at the end', 'DELETE FROM users', 'data'],
  ['a reason without words', '-- allow drop:\nDROP TABLE tags;', 'drop'],
  ['a reason for another rule', '-- allow rename: nobody reads it\nDROP TABLE tags;', 'drop'],
  ['a reason for the statement before', '-- allow drop: unused\nDROP TABLE tags;\nDROP TABLE notes;', 'drop'],
]) {
  test(`${what} is a problem`, () => assert.deepEqual(rulesBroken(script), [rule]));
}

for (const [what, script] of [
  ['a new table with its indexes and constraints', 'CREATE TABLE tags (id int NOT NULL); CREATE INDEX t_idx ON tags (id); ALTER TABLE tags ADD CHECK (id > 0);'],
  ['a column that may be null', 'ALTER TABLE users ADD COLUMN a int;'],
  ['a NOT NULL column with a default', "ALTER TABLE users ADD COLUMN a numeric(3, 1) NOT NULL DEFAULT 1.0, ADD COLUMN b text NOT NULL DEFAULT '';"],
  ['a constraint that is not validated yet', 'ALTER TABLE users ADD CONSTRAINT a_positive CHECK (a > 0) NOT VALID;'],
  ['its validation', 'ALTER TABLE users VALIDATE CONSTRAINT a_positive;'],
  ['a key over an index that exists', 'ALTER TABLE users ADD CONSTRAINT a_key UNIQUE USING INDEX a_idx;'],
  ['a reason before the statement', '-- allow drop: no version reads it since 0.3\nDROP TABLE tags;'],
  ['a statement in a text', "COMMENT ON TABLE users IS 'DROP TABLE; it''s a joke';"],
  ['a statement in a comment', '-- DROP TABLE users;\n/* UPDATE users; */ SELECT 1;'],
  ['a statement in a function', 'CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM a; END $$;'],
]) {
  test(`${what} passes`, () => assert.deepEqual(scriptProblems(script), []));
}

test('CONCURRENTLY stands alone and outside of a transaction', () => {
  const index = 'CREATE INDEX CONCURRENTLY a_idx ON users (a);';
  assert.deepEqual(scriptProblems(index, { inTransaction: false }), []);
  assert.deepEqual(rulesBroken(index), ['index']);
  assert.deepEqual(rulesBroken(`${index} SELECT 1;`, { inTransaction: false }), ['index']);
});

test('statements end at semicolons outside of texts', () => {
  const script = "SELECT ';'; -- one; two\nSELECT $a$ ; $a$";
  assert.deepEqual(statementsIn(script).map(({ sql }) => sql), ["SELECT ''", "SELECT ''"]);
});

test('released migrations stay as they are, and new ones come after them', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const write = (name, up) => {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'up.sql'), up);
    writeFileSync(join(folder, name, 'down.sql'), 'SELECT 1;');
  };
  const [first, second, third] = [1, 2, 3].map((n) => `2026-01-01-00000${n}_step`);
  const drop = 'DROP TABLE old;';
  const released = { [second]: createHash('sha256').update(drop).digest('hex') };
  write(second, drop);
  write(third, 'CREATE TABLE new (id int);');
  assert.deepEqual(folderProblems(folder, released), []);

  write(first, 'SELECT 1;');
  write(second, `${drop} SELECT 1;`);
  write('notes', 'SELECT 1;');
  const problems = folderProblems(folder, { ...released, gone: '' });
  for (const words of ['comes before', 'must not change', 'is gone', 'is not called']) {
    assert.ok(problems.some((problem) => problem.includes(words)), words);
  }
});
