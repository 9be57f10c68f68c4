// Prints the weight of this repository as a Markdown table.
//
//   node scripts/weight.mjs [COMMIT]     with a commit, its weight stands in a column before
//
// Production Rust is what the program is made of: the sources of the crates and build scripts, without those in crates/testing, and tests
// inside of files. Tests are those, the tests in folders and files of their own, `contracts` and `fakes`, in Rust, TypeScript,
// JavaScript and Python. Of these, and of SQL, lines count that have more than a comment. Of scripts every line counts, lock files
// not at all.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const NOT_PRODUCTION = /^crates\/(testing|contracts|fakes|stand-in-kit|[a-z]+-stand-in)\//; // `testing` since crates are in folders
const TEST_KIT = /^crates\/(testing\/)?(contracts|fakes)\//;
const RUST_TEST = /\/tests(\.rs|\/)/;
const OTHER_TEST = /\.(test|spec)\.(ts|tsx|mjs)$|^frontend\/e2e.*\.ts$/;
const PYTHON_TEST = /_test\.py$/;

const git = (...args) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1e9 });
const linesOf = (text) => text.split('\n').filter((line) => line.trim() !== '');
const without = (comment) => (text) => linesOf(text).filter((line) => !comment.test(line)).length;
const sqlLines = without(/^\s*--/);
const pythonLines = without(/^\s*#/);
const codeLines = without(/^\s*(\/\/|\/\*|\*)/); // also of Rust: no comment here begins after code on a line before

/** The parts of a Rust file: what is compiled into the program, and its tests. */
function split(text) {
  const parts = { production: [], tests: [] };
  const lines = text.split('\n');
  for (let n = 0; n < lines.length; ) {
    const attribute = /^(\s*)#\[cfg\(test\)\]$/.exec(lines[n]);
    const end = attribute ? endOfItem(lines, n, attribute[1]) : n + 1;
    parts[attribute ? 'tests' : 'production'].push(...lines.slice(n, end));
    n = end;
  }
  return { production: codeLines(parts.production.join('\n')), tests: codeLines(parts.tests.join('\n')) };
}

/** The line after an item with this indent: after its closing brace, or after its semicolon if it has one line. */
function endOfItem(lines, start, indent) {
  const isLast = (line) => line === `${indent}}` || (line.startsWith(indent) && /^\S.*;$/.test(line.slice(indent.length)));
  const last = lines.findIndex((line, n) => n > start && isLast(line));
  return last < 0 ? lines.length : last + 1;
}

/** The binaries that the tests of the workspace are linked into. */
function binaries(root) {
  const metadata = execFileSync('cargo', ['metadata', '--no-deps', '--format-version', '1'], { cwd: root, encoding: 'utf8', maxBuffer: 1e9, stdio: ['ignore', 'pipe', 'ignore'] });
  return JSON.parse(metadata).packages.flatMap(({ targets }) => targets).filter(({ test, kind }) => test && !kind.includes('proc-macro')).length;
}

function weigh(root, files) {
  const read = (file) => readFileSync(join(root, file), 'utf8');
  const sum = (isMeant, count) => files.filter(isMeant).reduce((total, file) => total + count(read(file)), 0);
  const every = (text) => text.split('\n').length - 1;
  const isRust = (file) => /^crates\/.*\.rs$/.test(file);
  const isProduction = (file) => isRust(file) && !NOT_PRODUCTION.test(file) && !RUST_TEST.test(file);
  return {
    'production Rust, lines': sum(isProduction, (text) => split(text).production),
    'SQL, lines': sum((file) => /^(migrations|crates\/.+\/sql)\/.*\.sql$/.test(file), sqlLines),
    'tests, lines':
      sum(isProduction, (text) => split(text).tests) +
      sum((file) => isRust(file) && (RUST_TEST.test(file) || TEST_KIT.test(file)), codeLines) +
      sum((file) => OTHER_TEST.test(file), codeLines) +
      sum((file) => PYTHON_TEST.test(file), pythonLines),
    'scripts and lab, lines': sum((file) => /^(scripts|tools)\//.test(file) && !file.endsWith('package-lock.json'), every),
    migrations: files.filter((file) => /^migrations\/[^/]+\/up\.sql$/.test(file)).length,
    'documents, words': sum((file) => file.endsWith('.md'), (text) => text.split(/\s+/).filter(Boolean).length),
    'test binaries that are linked': binaries(root),
  };
}

const present = () => git('ls-files', '-co', '--exclude-standard').trim().split('\n').filter((file) => existsSync(file));

function weighCommit(commit) {
  const folder = mkdtempSync(join(tmpdir(), 'weight-'));
  try {
    execFileSync('tar', ['-x', '-C', folder], { input: execFileSync('git', ['archive', commit], { maxBuffer: 1e9 }) });
    return weigh(folder, git('ls-tree', '-r', '--name-only', commit).trim().split('\n'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

process.chdir(git('rev-parse', '--show-toplevel').trim());
const [commit] = process.argv.slice(2);
const columns = { ...(commit && { [`\`${commit}\``]: weighCommit(commit) }), [commit ? 'now' : 'weight']: weigh('.', present()) };
const row = (cells) => console.log(`| ${cells.join(' | ')} |`);
row(['', ...Object.keys(columns)]);
console.log(`|---|${'---:|'.repeat(Object.keys(columns).length)}`);
for (const what of Object.keys(Object.values(columns)[0])) row([what, ...Object.values(columns).map((weights) => weights[what].toLocaleString('en-US'))]);
