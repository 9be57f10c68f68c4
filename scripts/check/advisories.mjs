// Checks the dependencies of both languages for published security advisories: cargo-deny for Rust, npm audit
// for the client. Fails on a finding. Where no database of advisories can be had, it says why it skipped, and does not fail.
//
//   node scripts/check/advisories.mjs
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

const TIMEOUT_MS = 60_000;
const NPM_FOLDERS = ['frontend', 'scripts/postgres'];

/** Runs a program, for at most a minute. */
export function run(program, args, folder = '.') {
  const { error, status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', timeout: TIMEOUT_MS, maxBuffer: 64e6 });
  return { status, stdout: stdout ?? '', stderr: stderr || error?.message || '' };
}

const lastLine = (text) => text.trim().split('\n').at(-1);

/** Rust. Fetching the database is a step of its own, so that a failure to fetch is not taken for a finding. */
export function checkRust(runner = run) {
  if (runner('cargo', ['deny', '--version']).status !== 0) return { skipped: 'cargo-deny is not installed (cargo install --locked cargo-deny)' };
  const fetched = runner('cargo', ['deny', 'fetch', 'db']);
  if (fetched.status !== 0) return { skipped: `the database of advisories cannot be fetched: ${lastLine(fetched.stderr)}` };
  const checked = runner('cargo', ['deny', 'check', '--disable-fetch', 'advisories']);
  return checked.status === 0 ? {} : { found: checked.stderr };
}

/** A folder with a package-lock.json. npm fails both for findings and without an answer; only a report has a version. */
export function checkNpm(folder, runner = run) {
  const { status, stdout, stderr } = runner('npm', ['audit', '--json', '--package-lock-only'], folder);
  if (!stdout.includes('"auditReportVersion"')) return { skipped: /"message": "(.+)"/.exec(stdout)?.[1] ?? (lastLine(stderr) || 'npm gave no report') };
  return status === 0 ? {} : { found: stdout };
}

/** What to print about a result. */
export const describe = ({ found, skipped }) => (skipped ? `skipped, because ${skipped}` : (found ?? 'no advisory'));

function main() {
  const results = [['Cargo.lock', checkRust()], ...NPM_FOLDERS.map((folder) => [`${folder}/package-lock.json`, checkNpm(folder)])];
  for (const [name, result] of results) console.error(`check-advisories: ${name}: ${describe(result)}`);
  if (results.some(([, { found }]) => found !== undefined)) process.exit(1);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
