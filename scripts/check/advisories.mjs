// Checks the dependencies of both languages for published security advisories: cargo-deny for Rust, npm audit
// for the client. Fails on a finding. Where no database of advisories can be had, it says why it skipped, and does not fail.
//
//   node scripts/check/advisories.mjs
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

const TIMEOUT_MS = 60_000;

/** The result of a check: `found` lists advisories; `skipped` is the reason why nothing is known. */
const findings = (found) => ({ found });
const skipped = (reason) => ({ found: [], skipped: reason });

/** Runs a program. `failed` is the reason when it could not run to its end. */
export function run(program, args, folder = '.') {
  const { error, signal, status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', timeout: TIMEOUT_MS, maxBuffer: 64e6 });
  const isLate = error?.code === 'ETIMEDOUT' || signal === 'SIGTERM';
  const failed = isLate ? `no answer within ${TIMEOUT_MS / 1000} s` : error?.message;
  return { failed, status, stdout: stdout ?? '', stderr: stderr ?? '' };
}

const lastLine = (text) => text.trim().split('\n').at(-1) ?? '';

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Rust. Fetching the database is a step of its own, so that a failure to fetch is not taken for a finding. */
export function checkRust(runner = run) {
  if (runner('cargo', ['deny', '--version']).status !== 0) return skipped('cargo-deny is not installed (cargo install --locked cargo-deny)');
  const fetched = runner('cargo', ['deny', 'fetch', 'db']);
  if (fetched.status !== 0) return skipped(`the database of advisories cannot be fetched: ${fetched.failed ?? lastLine(fetched.stderr)}`);
  const checked = runner('cargo', ['deny', '--format', 'json', 'check', '--disable-fetch', 'advisories']);
  if (checked.status === 0) return findings([]);
  const diagnostics = `${checked.stdout}\n${checked.stderr}`.split('\n').map(parseJson);
  const errors = diagnostics.filter((line) => line?.type === 'diagnostic' && line.fields?.severity === 'error');
  const found = errors.map(({ fields }) => [fields.advisory?.id, fields.advisory?.package, fields.message].filter(Boolean).join(' '));
  return findings(found.length > 0 ? found : [checked.failed ?? lastLine(checked.stderr)]); // it failed, so it is never taken for good
}

/** A folder with a package-lock.json. npm fails both for findings and without an answer; only a report has a version. */
export function checkNpm(folder, runner = run) {
  const { failed, stdout, stderr } = runner('npm', ['audit', '--json', '--package-lock-only'], folder);
  const report = parseJson(stdout);
  if (report?.auditReportVersion === undefined) {
    return skipped(failed ?? report?.message ?? report?.error?.summary ?? lastLine(stderr));
  }
  const packages = Object.values(report.vulnerabilities ?? {});
  return findings(packages.map(({ name, severity, range, via = [] }) => {
    const titles = via.map((cause) => cause.title ?? `through ${cause}`);
    return `${name} ${range} (${severity}): ${titles.join('; ')}`;
  }));
}

/** Prints the results. Returns whether there was a finding. */
export function report(results, print = console.error) {
  for (const [name, { found, skipped: reason }] of results) {
    if (reason !== undefined) print(`check-advisories: ${name}: skipped, because ${reason || 'the tool gave no answer'}`);
    else if (found.length === 0) print(`check-advisories: ${name}: no advisory`);
    for (const line of found) print(`check-advisories: ${name}: ${line}`);
  }
  return results.some(([, { found }]) => found.length > 0);
}

function main() {
  const folders = ['frontend', 'scripts/postgres'];
  const results = [['Cargo.lock', checkRust()], ...folders.map((folder) => [`${folder}/package-lock.json`, checkNpm(folder)])];
  if (report(results)) process.exit(1);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
