// Checks the dependencies that the crates declare: every crate depends only on what its layer allows (the reasons stand in
// docs/architecture.md), and every declared dependency is used.
//
//   node scripts/check-layers.mjs
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const domains = ['raffle', 'referral', 'drawing', 'pricing', 'sms', 'analytics', 'staff'];

/** Third-party crates that the program depends on only for their features: scripts/check-features.mjs. */
const featureOnly = ['bitflags', 'fastrand', 'hashbrown', 'num-traits', 'regex-automata'];

/** Crates from outside that a layer must not know. */
const technology = ['diesel', 'actix-web', 'tokio', 'serde_json', 'reqwest'];
export const foreign = {
  ...Object.fromEntries(['kernel', ...domains].map((name) => [name, technology])),
  usecases: technology.filter((name) => name !== 'tokio'), // stories wait with its timers and channels
  web: ['diesel'],
};

/** Dependencies that no source line names, and why they are declared all the same. */
export const linkOnly = {
  'pq-sys': 'chooses how libpq is linked; Diesel calls it',
  uuid: 'chooses where request IDs get their random bits; tracing-actix-web makes the IDs',
  ...Object.fromEntries(featureOnly.map((name) => [name, 'turns on features that other crates use'])),
};

const isForTests = (dependency) => dependency.kind === 'dev';

/** Says which crates depend on something that their layer does not allow. */
export function layerProblems(packages) {
  const workspace = new Set(packages.map((crate) => crate.name));
  const missing = Object.values(layers).flatMap(({ crates }) => crates.filter((name) => !workspace.has(name)));
  return [
    ...missing.map((name) => `${name}: is listed in scripts/check-layers.mjs, but is not in the workspace`),
    ...packages.flatMap((crate) => crateProblems(crate, workspace)),
  ];
}

function crateProblems(crate, workspace) {
  const entry = Object.entries(layers).find(([, { crates }]) => crates.includes(crate.name));
  if (!entry) return [`${crate.name}: belongs to no layer; add it to the \`crates\` of its layer in scripts/check-layers.mjs`];
  const [name, layer] = entry;
  return crate.dependencies
    .filter((dependency) => !isAllowed(dependency, layer))
    .map((dependency) => describe(crate, dependency, name, workspace.has(dependency.name)));
}

function isAllowed(dependency, layer) {
  const allowed = [...layer.workspace, ...layer.thirdParty, ...(isForTests(dependency) ? layer.tests : [])];
  return allowed.includes(dependency.name);
}

function describe(crate, dependency, layer, isOurs) {
  const list = isForTests(dependency) ? 'tests' : isOurs ? 'workspace' : 'thirdParty';
  const subject = isForTests(dependency) ? `${crate.name}: its tests` : `${crate.name}:`;
  return `${subject} may not depend on ${dependency.name}; if this layer should, add it to layers['${layer}'].${list} in scripts/check-layers.mjs`;
}

/** Says which dependencies are declared and never used. `sourcesOf(crate, folders)` returns the Rust source in these folders. */
export function unusedProblems(packages, sourcesOf) {
  return packages.flatMap((crate) => {
    const own = sourcesOf(crate, ['src', 'build.rs']);
    const all = own + sourcesOf(crate, ['tests', 'benches', 'examples']);
    return crate.dependencies
      .filter(({ name }) => !(name in linkOnly))
      .filter((dependency) => !isNamed(dependency, isForTests(dependency) ? all : own))
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
  console.log(`check-layers: ${packages.length} crates depend only on what their layers allow, and use every declared dependency`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
