// Checks that the migrations of a release never change and that new ones come after them (docs/migrations.md). None is released
// before 0.1.0.
//
//   node scripts/check/migrations.mjs             checks
//   node scripts/check/migrations.mjs --release   records the checksums of all migrations in migrations/released.json
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { report } from './report.mjs';

const checksum = (path) => (existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : undefined);

/** The checksum of each migration's up.sql, by its name. */
function checksumsIn(folder) {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name).sort();
  return Object.fromEntries(names.map((name) => [name, checksum(join(folder, name, 'up.sql'))]));
}

/** Lists the problems of all migrations in `folder`. `released` has the checksum of each released one. */
export function folderProblems(folder, released) {
  const present = checksumsIn(folder);
  const newest = Object.keys(released).sort().at(-1) ?? '';
  const changed = Object.keys(released).filter((name) => present[name] !== released[name]);
  const added = Object.keys(present).filter((name) => !(name in released));
  return [
    ...changed.map((name) => `${name}: was released and must not change: add another migration`),
    ...added.filter((name) => name < newest).map((name) => `${name}: comes before ${newest}, which was released`),
    ...added.filter((name) => !/^\d{4}_[a-z0-9_]+$/.test(name)).map((name) => `${name}: is not called NNNN_name`),
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = join(fileURLToPath(import.meta.url), '..', '..', '..', 'migrations');
  const list = join(folder, 'released.json');
  if (process.argv.includes('--release')) writeFileSync(list, `${JSON.stringify(checksumsIn(folder), null, 2)}\n`);
  else report('check-migrations', folderProblems(folder, JSON.parse(readFileSync(list, 'utf8'))), 'all good');
}
