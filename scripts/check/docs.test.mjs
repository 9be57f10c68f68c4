import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { decisionProblems, documentProblems, listPaths } from './docs.mjs';

const paths = [
  'Makefile', 'README.md', 'docs', 'docs/architecture.md', 'docs/adr', 'docs/adr/0001-ports.md', 'scripts', 'scripts/postgres.sh',
  'crates', 'crates/http/web', 'crates/http/web/src', 'crates/http/web/src/lib.rs', 'crates/http/web/src/state.rs',
];
const problems = (text, file = 'docs/architecture.md') => documentProblems(file, text, { paths, targets: ['run', 'test-e2e'] });

for (const [what, text] of [
  ['a file', 'See `scripts/postgres.sh`.'],
  ['a folder, with and without a slash', '`docs/adr/` and `docs/adr`'],
  ['a file inside crates/', '`web/src/lib.rs`'],
  ['a bare file name', '`state.rs`'],
  ['braces', '`crates/http/web/src/{lib,state}.rs`'],
  ['a star', '`docs/adr/0001-*.md`'],
  ['a command', '`scripts/postgres.sh with -- psql`'],
  ['a link beside the document', '[why](adr/0001-ports.md)'],
  ['a path beside the document', '`adr/0001-ports.md`'],
  ['a link with an anchor', '[top](../README.md#top)'],
  ['a make target', '`make run`, `RELEASE=1 make test-e2e`'],
]) {
  test(`${what} that exists passes`, () => assert.deepEqual(problems(text), []));
}

for (const [what, text, missing] of [
  ['a file', 'See `scripts/mysql.sh`.', 'scripts/mysql.sh'],
  ['a folder', '`docs/adrs/`', 'docs/adrs/'],
  ['a file in a crate', '`web/src/main.rs`', 'web/src/main.rs'],
  ['a file in a missing folder', '`lib/src/main.rs`', 'lib/src/main.rs'],
  ['a bare file name', '`gone.rs`', 'gone.rs'],
  ['a bare Python file name', '`gone.py`', 'gone.py'],
  ['one of several in braces', '`crates/http/web/src/{lib,gone}.rs`', 'crates/http/web/src/{lib,gone}.rs'],
  ['a star that matches nothing', '`docs/adr/0002-*.md`', 'docs/adr/0002-*.md'],
  ['a file in a command', '`sh scripts/gone.sh run`', 'scripts/gone.sh'],
  ['a file in a shell block', '```sh\n./scripts/gone.sh run\n```', 'scripts/gone.sh'],
  ['a link', '[why](adr/0002-gone.md)', 'adr/0002-gone.md'],
  ['a link that is relative to the root', '[it](scripts/postgres.sh)', 'scripts/postgres.sh'],
  ['a make target', '`make tea`', 'make tea'],
]) {
  test(`${what} that does not exist fails`, () => assert.deepEqual(problems(text), [`docs/architecture.md: there is no ${missing}`]));
}

for (const [what, text] of [
  ['routes and media types', '`/api/users/{id}` `application/json` `text/html`'],
  ['addresses', '[site](https://example.org/a.md) `https://example.org/a.md`'],
  ['build output', '`target/debug/tombola` `frontend/dist/pages.json` `.data/postgres`'],
  ['blocks that are not shell', '```rust\nuse gone/lib.rs;\n```'],
  ['an anchor', '[top](#top)'],
]) {
  test(`${what} are not checked`, () => assert.deepEqual(problems(text), []));
}

test('the list of paths leaves out build output and installed packages', () => {
  const root = mkdtempSync(join(tmpdir(), 'check-docs-'));
  for (const folder of ['docs/adr', 'target/debug', 'frontend/node_modules/a']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'docs/adr/a.md'), '');
  assert.deepEqual(listPaths(root).sort(), ['docs', 'docs/adr', 'docs/adr/a.md', 'frontend']);
  rmSync(root, { recursive: true });
});

test('a decision that is cited has a line, and a line is cited', () => {
  const page = '# Decisions\n\n- **D1 Ids** are numbers.\n- **D23a Consent** is a box.\n- **D9 Packages.** Not D4.\n';
  assert.deepEqual(decisionProblems(page, ['/// An id (D1).', '/// D7 alone is no citation (D23a, D40).']), [
    'docs/decisions.md: there is no line for D40',
    'docs/decisions.md: nothing cites D9',
  ]);
});
