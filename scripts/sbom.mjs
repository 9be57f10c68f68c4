// Writes a software bill of materials (CycloneDX 1.5, JSON) of each lock file to target/sbom.
//
//   node scripts/sbom.mjs
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const FOLDER = 'target/sbom';
/** The folders with a package-lock.json, and the names of their files. */
const npmFolders = { frontend: 'frontend', 'scripts/postgres': 'postgres-binaries' };

/** The packages of a Cargo.lock: name, version, source, checksum and the names of dependencies. */
export function parseCargoLock(text) {
  return text.split('[[package]]').slice(1).map((block) => {
    const value = (name) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(block)?.[1];
    const list = /^dependencies = \[([^\]]*)\]/m.exec(block)?.[1] ?? '';
    const dependencies = [...list.matchAll(/"([^"]+)"/g)].map(([, name]) => name);
    return { name: value('name'), version: value('version'), source: value('source'), checksum: value('checksum'), dependencies };
  });
}

const reference = ({ name, version }) => `pkg:cargo/${name}@${version}`;

/** The bill of materials of a Cargo.lock. `licenses` maps the references of packages to licenses. */
export function rustSbom(lock, licenses = new Map()) {
  const packages = parseCargoLock(lock);
  const find = (dependency) => {
    const [name, version] = dependency.split(' ');
    return packages.find((other) => other.name === name && (version === undefined || other.version === version));
  };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name: 'tombola', 'bom-ref': 'tombola' } },
    components: packages.map((crate) => component(crate, licenses.get(reference(crate)))),
    dependencies: packages.map((crate) => ({ ref: reference(crate), dependsOn: crate.dependencies.map((name) => reference(find(name))) })),
  };
}

function component(crate, license) {
  return {
    type: 'library',
    'bom-ref': reference(crate),
    name: crate.name,
    version: crate.version,
    ...(crate.source && { purl: reference(crate) }), // our own crates have no source
    ...(crate.checksum && { hashes: [{ alg: 'SHA-256', content: crate.checksum }] }),
    ...(license && { licenses: [{ expression: license.replaceAll('/', ' OR ') }] }),
  };
}

/** The licenses of crates, as far as cargo knows them here. */
function cargoLicenses() {
  const metadata = execFileSync('cargo', ['metadata', '--format-version', '1', '--locked'], { maxBuffer: 256e6 });
  return new Map(JSON.parse(metadata).packages.map((crate) => [reference(crate), crate.license]));
}

/** The bill of materials of a package-lock.json. */
export function npmSbom(folder) {
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'];
  const text = execFileSync('npm', args, { cwd: folder, maxBuffer: 64e6, stdio: ['ignore', 'pipe', 'ignore'] });
  return JSON.parse(text);
}

function main() {
  mkdirSync(FOLDER, { recursive: true });
  const boms = [['rust', rustSbom(readFileSync('Cargo.lock', 'utf8'), cargoLicenses())]];
  for (const [folder, name] of Object.entries(npmFolders)) boms.push([name, npmSbom(folder)]);
  for (const [name, bom] of boms) {
    const file = `${FOLDER}/${name}.cdx.json`;
    writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`);
    console.log(`sbom: ${file} lists ${bom.components.length} packages`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
