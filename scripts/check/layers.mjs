// Checks the dependencies that the crates declare: every crate depends only on what its layer allows (the reasons stand in
// docs/architecture.md), and every declared dependency is used.
//
//   node scripts/check/layers.mjs
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { report } from './report.mjs';

const domains = ['claims', 'raffle', 'referral', 'drawing', 'pricing', 'sms', 'analytics', 'fraud', 'staff', 'verification', 'people', 'privacy', 'push'];

/** Third-party crates that the program depends on only for their features: scripts/check/features.mjs. */
const featureOnly = ['bitflags', 'fastrand', 'hashbrown', 'num-traits', 'regex-automata', 'subtle'];

const domainLibraries = ['async-trait', 'chrono', 'chrono-tz', 'hex', 'hmac', 'rand_chacha', 'regex', 'secrecy', 'sha1', 'sha2', 'strum', 'thiserror', 'uuid', 'woothee'];
const domainTests = ['proptest']; // the stories of whole flows are in crates/usecases/tests, so that testing a domain compiles little

/**
 * Every layer, from the inside out:
 * - crates: the crates of this layer;
 * - workspace: the workspace crates that they may depend on;
 * - thirdParty: the third-party crates that they may depend on;
 * - tests: the crates of either kind that only their tests may depend on. Tests may also use all of the above.
 */
export const layers = {
  kernel: {
    crates: ['kernel'],
    workspace: [],
    thirdParty: ['chrono', 'ipnet', 'serde', 'sha2', 'strum', 'thiserror', 'uuid'],
    tests: ['proptest'],
  },
  domains: {
    crates: domains.filter((name) => !['claims', 'drawing', 'push', 'raffle'].includes(name)),
    workspace: ['kernel', 'raffle'],
    thirdParty: domainLibraries,
    tests: domainTests,
  },
  raffle: {
    crates: ['raffle'], // below the other domains: their rules give and take entries
    workspace: ['kernel'],
    thirdParty: [...domainLibraries, 'serde'], // a sign-up that waits for its code is stored as JSON
    tests: domainTests,
  },
  claims: {
    crates: ['claims'],
    workspace: ['kernel', 'raffle'],
    thirdParty: [...domainLibraries, 'serde', 'serde_json'], // a winner's details are encrypted as JSON
    tests: domainTests,
  },
  drawing: {
    crates: ['drawing'],
    workspace: ['kernel', 'raffle'],
    thirdParty: [...domainLibraries, 'crc32fast', 'flate2', 'serde', 'serde_json'], // the log hashes JSON texts; published lists are compressed
    tests: domainTests,
  },
  push: {
    crates: ['push'],
    workspace: ['kernel', 'raffle'],
    thirdParty: [...domainLibraries, 'base64', 'url'], // endpoints are addresses, and keys come as base64url
    tests: domainTests,
  },
  usecases: {
    crates: ['usecases'],
    workspace: ['kernel', ...domains],
    thirdParty: ['chrono', 'chrono-tz', 'metrics', 'thiserror', 'tokio', 'tracing'], // Tokio for its timers and channels
    tests: ['async-trait', 'fakes', 'proptest'],
  },
  'store-postgres': {
    crates: ['store-postgres'],
    workspace: ['kernel', ...domains],
    thirdParty: [
      ...['chrono', 'chrono-tz', 'diesel', 'diesel_migrations', 'hex', 'ipnet', 'pq-sys', 'r2d2', 'rustls-native-certs'],
      ...['rustls-pki-types', 'scheduled-thread-pool', 'serde_json', 'sha2', 'socket2', 'strum', 'thiserror', 'tokio', 'tokio-rustls', 'tracing', 'uuid'],
    ],
    tests: ['contracts', 'tempfile'],
  },
  'payments-stripe': {
    crates: ['payments-stripe'],
    workspace: ['kernel', 'pricing'],
    thirdParty: [
      ...['async-stripe-client-core', 'async-stripe-core', 'async-stripe-shared', 'async-stripe-types', 'async-trait', 'bytes', 'chrono'],
      ...['hex', 'hmac', 'reqwest', 'secrecy', 'serde', 'serde_json', 'sha2', 'thiserror', 'tokio', 'tracing', 'url'],
    ],
    tests: ['contracts', 'futures-util', 'stand-in-kit', 'stripe-stand-in'],
  },
  'sms-twilio': {
    crates: ['sms-twilio'],
    workspace: ['kernel', 'sms'],
    thirdParty: ['async-trait', 'base64', 'chrono', 'hmac', 'reqwest', 'serde', 'serde_json', 'sha1', 'thiserror', 'url'],
    tests: ['contracts', 'futures-util', 'stand-in-kit', 'tokio', 'twilio-stand-in'],
  },
  'push-web': {
    crates: ['push-web'],
    workspace: ['kernel', 'push'],
    thirdParty: ['async-trait', 'aws-lc-rs', 'base64', 'chrono', 'hkdf', 'reqwest', 'secrecy', 'serde_json', 'sha2', 'thiserror'],
    tests: ['tokio'],
  },
  'beacon-bls': {
    crates: ['beacon-bls'], // calculates only; no HTTP
    workspace: ['drawing'],
    thirdParty: ['blst'],
    tests: ['bls12_381', 'proptest', 'serde', 'serde_json', 'sha2'],
  },
  'beacon-drand': {
    crates: ['beacon-drand'],
    workspace: ['drawing', 'beacon-bls'],
    thirdParty: ['async-trait', 'chrono', 'metrics', 'reqwest', 'serde', 'serde_json', 'thiserror', 'tracing', 'url'],
    tests: ['contracts', 'drand-stand-in', 'stand-in-kit', 'tokio'],
  },
  fakes: {
    crates: ['fakes'],
    workspace: ['kernel', ...domains],
    thirdParty: ['async-trait', 'chrono', 'chrono-tz', 'rand', 'rand_chacha', 'strum', 'uuid'],
    tests: ['contracts', 'tokio'],
  },
  contracts: {
    crates: ['contracts'],
    workspace: ['kernel', ...domains, 'usecases', 'fakes'],
    thirdParty: ['chrono', 'chrono-tz', 'proptest', 'strum'],
    tests: [],
  },
  web: {
    crates: ['web'],
    workspace: ['kernel', ...domains, 'usecases'],
    thirdParty: [
      ...['actix-web', 'argon2', 'atom_syndication', 'base64', 'brotli', 'chrono', 'chrono-tz', 'crossbeam-channel', 'csv', 'flate2', 'futures-util', 'governor'],
      ...['hex', 'ipnet', 'jsonwebtoken', 'metrics', 'mime_guess', 'pastey', 'qrcodegen', 'secrecy', 'serde', 'serde_json', 'serde_path_to_error', 'sha2'],
      ...['strum', 'thiserror', 'thread-priority', 'tokio', 'tracing', 'tracing-actix-web', 'url', 'utoipa', 'uuid', 'validator', 'zip'],
    ],
    tests: ['actix-http', 'beacon-bls', 'fakes', 'proptest', 'tempfile'], // no database
  },
  'stand-ins': {
    crates: ['stand-in-kit', 'drand-stand-in', 'stripe-stand-in', 'twilio-stand-in'], // only tests and the demo use them
    workspace: ['stand-in-kit'],
    thirdParty: [
      ...['actix-web', 'anyhow', 'base64', 'blst', 'chrono', 'clap', 'futures-util', 'hex', 'hmac', 'jsonschema', 'rand', 'reqwest', 'serde'],
      ...['serde_json', 'sha1', 'sha2', 'tokio', 'url'],
    ],
    tests: ['tempfile'],
  },
  app: {
    crates: ['app'],
    workspace: ['kernel', ...domains, 'usecases', 'web', 'store-postgres', 'payments-stripe', 'sms-twilio', 'push-web', 'beacon-bls', 'beacon-drand'],
    thirdParty: [
      ...['actix-http', 'actix-server', 'actix-service', 'actix-web', 'anyhow', 'chacha20poly1305', 'chrono', 'chrono-tz', 'clap', 'dotenvy', 'futures-util', 'hex', 'hkdf', 'metrics'],
      ...['metrics-exporter-prometheus', 'opentelemetry', 'opentelemetry-otlp', 'opentelemetry_sdk', 'rand', 'redis', 'rpassword', 'secrecy', 'serde_json', 'sha2', 'socket2', 'strum', 'tokio'],
      ...['tracing', 'tracing-opentelemetry', 'tracing-subscriber', 'url', ...featureOnly],
    ],
    tests: ['diesel', 'drand-stand-in', 'governor', 'proptest', 'stripe-stand-in', 'tempfile', 'twilio-stand-in', 'ureq'],
  },
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
    ...missing.map((name) => `${name}: is listed in scripts/check/layers.mjs, but is not in the workspace`),
    ...packages.flatMap((crate) => crateProblems(crate, workspace)),
  ];
}

function crateProblems(crate, workspace) {
  const entry = Object.entries(layers).find(([, { crates }]) => crates.includes(crate.name));
  if (!entry) return [`${crate.name}: belongs to no layer; add it to the \`crates\` of its layer in scripts/check/layers.mjs`];
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
  return `${subject} may not depend on ${dependency.name}; if this layer should, add it to layers['${layer}'].${list} in scripts/check/layers.mjs`;
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
