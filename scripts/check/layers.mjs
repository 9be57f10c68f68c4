// Checks the dependencies that the crates declare: every crate depends only on what its layer allows, which is the folder that it
// is in (docs/architecture.md), and every declared dependency is used.
//
//   node scripts/check/layers.mjs
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { report } from './report.mjs';

/** Third-party crates that the program depends on only for their features: scripts/check/features.mjs. */
const featureOnly = ['bitflags', 'fastrand', 'hashbrown', 'num-traits', 'regex-automata', 'subtle'];

/**
 * The layers, from the inside out. Each is a folder of `crates`:
 * - uses: the layers whose crates it may depend on;
 * - thirdParty: the third-party crates that it may depend on; without it, all but those that `keptTo` keeps to other layers;
 * - tests: what only its tests may depend on. Tests may also use all of the above.
 */
export const layers = {
  domain: {
    uses: [], // but for `inDomain`
    thirdParty: [
      ...['async-trait', 'base64', 'chrono', 'chrono-tz', 'crc32fast', 'flate2', 'hex', 'hmac', 'ipnet', 'rand_chacha', 'regex', 'secrecy', 'serde'],
      ...['serde_json', 'sha1', 'sha2', 'strum', 'thiserror', 'unicode-general-category', 'unicode-normalization', 'url', 'uuid', 'woothee'],
    ],
    tests: ['proptest'], // the stories of whole flows are in crates/flows/usecases/tests, so that testing a domain compiles little
  },
  flows: {
    uses: ['domain'],
    thirdParty: ['chrono', 'chrono-tz', 'metrics', 'strum', 'thiserror', 'tokio', 'tracing'], // Tokio for its timers and channels
    tests: ['async-trait', 'fakes', 'proptest'],
  },
  adapters: { uses: ['domain'], tests: ['contracts', 'stand-ins'] },
  http: { uses: ['domain', 'flows'], tests: ['beacon-drand', 'fakes'] }, // no database
  app: { uses: ['domain', 'flows', 'adapters', 'http'], tests: ['diesel', 'stand-ins'] },
  testing: { uses: ['domain', 'flows', 'testing'], tests: [] },
};

/** The crates of the domain that others of it may depend on: types that several need, and entries with their ledger. */
const inDomain = { kernel: [], raffle: ['kernel'] };
const inOtherDomains = ['kernel', 'raffle'];

/** Third-party crates of one purpose, and the layers that have it. */
const keptTo = {
  'actix-web': ['http', 'app', 'testing'],
  diesel: ['adapters'],
  'pq-sys': ['adapters'],
  r2d2: ['adapters'],
  redis: ['app'],
  // Decoders of what strangers send.
  'image-webp': ['adapters'],
  'jpeg-encoder': ['adapters'],
  moxcms: ['adapters'],
  png: ['adapters'],
  rlimit: ['adapters'],
  'zune-core': ['adapters'],
  'zune-jpeg': ['adapters'],
  reqwest: ['adapters', 'testing'],
};

/** Dependencies that no source line names, and why they are declared all the same. */
export const linkOnly = {
  'pq-sys': 'chooses how libpq is linked; Diesel calls it',
  uuid: 'chooses where request IDs get their random bits; tracing-actix-web makes the IDs',
  ...Object.fromEntries(featureOnly.map((name) => [name, 'turns on features that other crates use'])),
};

const isForTests = (dependency) => dependency.kind === 'dev';

/** The layer of a crate is the folder that its own folder is in. */
const layerOf = ({ manifest_path: manifest }) => basename(dirname(dirname(manifest)));

/** Says which crates depend on something that their layer does not allow. */
export function layerProblems(packages) {
  const ours = new Map(packages.map((crate) => [crate.name, layerOf(crate)]));
  return packages.flatMap((crate) => {
    const layer = layerOf(crate);
    if (!(layer in layers)) return [`${crate.name}: crates/${layer} is no layer of scripts/check/layers.mjs`];
    return crate.dependencies
      .filter((dependency) => !isAllowed(crate, layer, dependency, ours))
      .map(({ name, kind }) => `${crate.name}: ${kind === 'dev' ? 'its tests' : 'it'} may not depend on ${name}: scripts/check/layers.mjs, ${layer}`);
  });
}

function isAllowed(crate, layer, { name, kind }, ours) {
  const { uses, thirdParty, tests } = layers[layer];
  if (kind === 'dev' && tests.includes(name)) return true;
  if (layer === 'domain' && ours.has(name)) return (inDomain[crate.name] ?? inOtherDomains).includes(name);
  if (ours.has(name)) return uses.includes(ours.get(name));
  return thirdParty ? thirdParty.includes(name) : (keptTo[name] ?? [layer]).includes(layer);
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
  report('check-layers', problems, `${packages.length} crates depend only on what their layers allow, and use every declared dependency`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
