// Checks migrations/: released ones never change, and new ones do not stop a server of the version before
// (docs/migrations.md says why).
//
//   node scripts/check/migrations.mjs             checks
//   node scripts/check/migrations.mjs --release   records the checksums of all migrations
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { report } from './report.mjs';

const NAME = /^\d{4}-\d{2}-\d{2}-\d{6}_[a-z0-9_]+$/;
const TABLE = String.raw`(?:ONLY\s+)?(?:IF\s+(?:NOT\s+)?EXISTS\s+)?"?(\w+)"?`;

/** What a statement may not do to a table that exists before the migration. */
const RULES = [
  { rule: 'drop', found: /\bDROP\s+(TABLE|COLUMN|CONSTRAINT|INDEX|TRIGGER|FUNCTION)\b/i, why: 'the version before may use it' },
  { rule: 'rename', found: /\bRENAME\b/i, why: 'the version before uses the old name' },
  { rule: 'type', found: /\bALTER\s+(COLUMN\s+)?\w+\s+(SET\s+DATA\s+)?TYPE\b/i, why: 'it rewrites the table under a lock' },
  { rule: 'not-null', found: /\bSET\s+NOT\s+NULL\b/i, why: 'it reads the whole table under a lock, and the version before may write null' },
  { rule: 'not-null', found: hasRequiredColumn, why: 'a new NOT NULL column needs a default: the version before does not write it' },
  { rule: 'constraint', found: hasCheckedConstraint, why: 'add it as NOT VALID, and validate it in a later migration' },
  { rule: 'index', found: (sql) => /^CREATE\s+(UNIQUE\s+)?INDEX\s+(?!CONCURRENTLY)/i.test(sql), why: 'it stops writers: use CREATE INDEX CONCURRENTLY' },
  { rule: 'data', found: /^(UPDATE|DELETE|TRUNCATE)\b/i, why: 'it locks rows until the migration ends: change rows in batches' },
];

function hasRequiredColumn(sql) {
  const columns = clauses(sql).filter((clause) => /\bADD\s+COLUMN\b/i.test(clause));
  return columns.some((column) => /\bNOT\s+NULL\b/i.test(column) && !/\b(DEFAULT|GENERATED)\b/i.test(column));
}

function hasCheckedConstraint(sql) {
  const constraints = clauses(sql).filter((clause) => /\bADD\s+(CONSTRAINT\b|CHECK\b|UNIQUE\b|FOREIGN\b|PRIMARY\b)/i.test(clause));
  return constraints.some((constraint) => !/\b(NOT\s+VALID|USING\s+INDEX)\b/i.test(constraint));
}

/** The parts of an ALTER TABLE: split at the commas outside of parentheses. */
function clauses(sql) {
  if (!/^ALTER\s+TABLE\b/i.test(sql)) return [];
  const parts = [''];
  let depth = 0;
  for (const char of sql) {
    depth += Number(char === '(') - Number(char === ')');
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts;
}

/** The statements of a script, with the `-- allow RULE: reason` comments before each. Texts and comments become blanks. */
export function statementsIn(script) {
  const token = /--[^\n]*|\/\*[^]*?\*\/|'(?:[^']|'')*'|(\$\w*\$)[^]*?\1|;|[^]/g;
  const statements = [];
  let [sql, allowed] = ['', new Set()];
  for (const [part] of script.matchAll(token)) {
    if (part === ';') {
      statements.push({ sql: sql.trim(), allowed });
      [sql, allowed] = ['', new Set()];
    } else if (part.startsWith('--') || part.startsWith('/*')) {
      const allow = part.match(/^-- allow ([a-z-]+): \S/);
      if (allow) allowed.add(allow[1]);
      sql += ' ';
    } else {
      sql += part.length > 1 ? "''" : part;
    }
  }
  if (sql.trim() !== '') statements.push({ sql: sql.trim(), allowed });
  return statements;
}

/** Lists what a new migration does that can stop a server of the version before. */
export function scriptProblems(script, { inTransaction = true } = {}) {
  const statements = statementsIn(script);
  const created = new Set(statements.map(({ sql }) => tableOf(sql, 'CREATE\\s+TABLE')).filter(Boolean));
  return statements.flatMap(({ sql, allowed }) => {
    const table = tableOf(sql, 'ALTER\\s+TABLE') ?? indexedTable(sql);
    const broken = created.has(table) ? [] : RULES.filter((rule) => breaks(rule, sql) && !allowed.has(rule.rule));
    const problems = broken.map(({ rule, why }) => `${rule}: ${why}: ${sql.split('\n')[0]}`);
    const concurrent = /\bCONCURRENTLY\b/i.test(sql);
    if (concurrent && inTransaction) problems.push('index: CONCURRENTLY needs metadata.toml with run_in_transaction = false');
    if (concurrent && statements.length > 1) problems.push('index: a migration with CONCURRENTLY has no other statement');
    return problems;
  });
}

const breaks = ({ found }, sql) => (typeof found === 'function' ? found(sql) : found.test(sql));
const tableOf = (sql, statement) => sql.match(new RegExp(`^${statement}\\s+${TABLE}`, 'i'))?.[1];
const indexedTable = (sql) => sql.match(new RegExp(`^CREATE\\s+(?:UNIQUE\\s+)?INDEX\\b[^(]*?\\bON\\s+${TABLE}`, 'i'))?.[1];

const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);
const checksum = (text) => createHash('sha256').update(text).digest('hex');

/** Lists the problems of all migrations in `folder`. `released` has the checksum of each released one's up.sql. */
export function folderProblems(folder, released) {
  const names = migrationsIn(folder);
  const gone = Object.keys(released).filter((name) => !names.includes(name));
  const newest = Object.keys(released).sort().at(-1) ?? '';
  return [
    ...gone.map((name) => `${name}: was released and is gone`),
    ...names.flatMap((name) => migrationProblems(join(folder, name), name, { checksum: released[name], newest })),
  ];
}

function migrationProblems(path, name, released) {
  const [up, down] = [read(join(path, 'up.sql')), read(join(path, 'down.sql'))];
  if (!NAME.test(name)) return [`${name}: is not called YYYY-MM-DD-NNNNNN_name`];
  if (up === undefined || down === undefined) return [`${name}: needs up.sql and down.sql`];
  if (released.checksum !== undefined) {
    return released.checksum === checksum(up) ? [] : [`${name}: was released and must not change: add another migration`];
  }
  if (name < released.newest) return [`${name}: comes before ${released.newest}, which was released`];
  const inTransaction = !/^run_in_transaction\s*=\s*false/m.test(read(join(path, 'metadata.toml')) ?? '');
  return scriptProblems(up, { inTransaction }).map((problem) => `${name}: ${problem}`);
}

const migrationsIn = (folder) =>
  readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name).sort();

function main() {
  const folder = join(fileURLToPath(import.meta.url), '..', '..', '..', 'migrations');
  const list = join(folder, 'released.json');
  if (process.argv.includes('--release')) {
    const released = migrationsIn(folder).map((name) => [name, checksum(readFileSync(join(folder, name, 'up.sql')))]);
    writeFileSync(list, `${JSON.stringify(Object.fromEntries(released), null, 2)}\n`);
    return;
  }
  const problems = folderProblems(folder, JSON.parse(readFileSync(list, 'utf8')));
  report('check-migrations', problems, 'all good');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
