// Proves that arrows point inward: compares every crate's dependencies with the table below (docs/architecture.md tells
// why), and that no declared dependency goes unused.
//
//   node scripts/check-layers.mjs
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const domains = ['raffle', 'referral', 'drawing', 'pricing', 'sms', 'analytics', 'staff'];

/** Every crate, and the workspace crates that it may depend on. */
export const table = {
  kernel: [],
  ...Object.fromEntries(domains.map((name) => [name, ['kernel']])),
  usecases: ['kernel', ...domains],
  'store-postgres': ['kernel', ...domains],
  'payments-stripe': ['kernel', 'pricing'],
  'sms-twilio': ['kernel', 'sms'],
  'stripe-stand-in': [], // only tests and the demo know the stand-ins
  'twilio-stand-in': [],
  fakes: ['kernel', ...domains],
  contracts: ['kernel', ...domains, 'usecases', 'fakes'],
  web: ['kernel', ...domains, 'usecases'],
  app: ['kernel', ...domains, 'usecases', 'web', 'store-postgres', 'payments-stripe', 'sms-twilio'],
};

/** Crates from outside that a layer must not know. */
const technology = ['diesel', 'actix-web', 'tokio', 'serde_json', 'reqwest'];
export const foreign = {
  ...Object.fromEntries(['kernel', ...domains, 'usecases'].map((name) => [name, technology])),
  web: ['diesel'],
};

/** Dependencies that no source line names, and why they are declared all the same. */
export const linkOnly = {
  'pq-sys': 'chooses how libpq is linked; Diesel is what calls it',
  ...Object.fromEntries(
    ['bitflags', 'fastrand', 'hashbrown', 'num-traits', 'regex-automata'].map((name) => [name, 'turns on features: check-features.mjs says which']),
  ),
  uuid: 'chooses where request ids get their random bits; tracing-actix-web is what makes them',
};

const inward = (dependency) => dependency.kind !== 'dev';

/** Says what is wrong with the crates' dependencies on each other and on the outside. */
export function layerProblems(packages) {
  const present = new Set(packages.map((crate) => crate.name));
  const missing = Object.keys(table).filter((name) => !present.has(name));
  return [
    ...missing.map((name) => `${name}: listed in the table, but not in the workspace`),
    ...packages.flatMap((crate) => crateProblems(crate, present)),
  ];
}

function crateProblems(crate, workspace) {
  const allowed = table[crate.name];
  if (!allowed) return [`${crate.name}: not listed in the table`];
  const names = crate.dependencies.filter(inward).map((dependency) => dependency.name);
  return [
    ...names.filter((name) => workspace.has(name) && !allowed.includes(name)),
    ...names.filter((name) => foreign[crate.name]?.includes(name)),
  ].map((name) => `${crate.name}: must not depend on ${name}`);
}

/** Says which dependencies are declared and never named. `sourcesOf(crate, folders)` gives the Rust text of these folders. */
export function unusedProblems(packages, sourcesOf) {
  return packages.flatMap((crate) => {
    const own = sourcesOf(crate, ['src', 'build.rs']);
    const all = own + sourcesOf(crate, ['tests', 'benches', 'examples']);
    return crate.dependencies
      .filter(({ name }) => !(name in linkOnly))
      .filter((dependency) => !isNamed(dependency, inward(dependency) ? own : all))
      .map(({ name, kind }) => `${crate.name}: ${kind ?? 'normal'} dependency ${name} is not used`);
  });
}

function isNamed({ name, rename }, source) {
  const id = (rename ?? name).replaceAll('-', '_');
  return new RegExp(`(?<![\\w:.])${id}\\s*::|\\buse\\s+(::)?${id}\\b|\\bextern\\s+crate\\s+${id}\\b`).test(withoutComments(source));
}

const withoutComments = (source) => source.replaceAll(/(^|\s)\/\/.*$/gm, '');

function sourcesOnDisk(crate, folders) {
  const root = dirname(crate.manifest_path);
  return readdirSync(root, { recursive: true })
    .filter((path) => path.endsWith('.rs') && folders.some((folder) => path === folder || path.startsWith(`${folder}/`)))
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');
}

function main() {
  const metadata = execFileSync('cargo', ['metadata', '--format-version', '1', '--no-deps', '--locked'], { maxBuffer: 64e6 });
  const { packages } = JSON.parse(metadata);
  const problems = [...layerProblems(packages), ...unusedProblems(packages, sourcesOnDisk)];
  for (const problem of problems) console.error(`check-layers: ${problem}`);
  if (problems.length > 0) process.exit(1);
  console.log(`check-layers: ${packages.length} crates keep to the table, every declared dependency is used`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
