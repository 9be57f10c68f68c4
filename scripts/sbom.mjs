// Writes a software bill of materials (CycloneDX 1.5, JSON) of each lock file to target/sbom.
//
//   node scripts/sbom.mjs
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const FOLDER = 'target/sbom';
/** The folders with a package-lock.json, and the names of their files. */
const npmFolders = { frontend: 'frontend', 'scripts/postgres': 'postgres-binaries' };

const reference = ({ name, version }) => `pkg:cargo/${name}@${version}`;

/** The bill of materials of the crates that Cargo.lock names; cargo knows everything of them but their checksums. */
export function rustSbom() {
  const metadata = execFileSync('cargo', ['metadata', '--format-version', '1', '--locked', '--all-features'], { maxBuffer: 256e6 });
  const { packages, resolve } = JSON.parse(metadata);
  const entries = readFileSync('Cargo.lock', 'utf8').split('[[package]]').slice(1);
  const checksums = new Map(entries.map((entry) => {
    const value = (name) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(entry)?.[1];
    return [reference({ name: value('name'), version: value('version') }), value('checksum')];
  }));
  const references = new Map(packages.map((crate) => [crate.id, reference(crate)]));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name: 'tombola', 'bom-ref': 'tombola' } },
    components: packages.map((crate) => component(crate, checksums.get(reference(crate)))),
    dependencies: resolve.nodes.map(({ id, dependencies }) => ({ ref: references.get(id), dependsOn: dependencies.map((of) => references.get(of)) })),
  };
}

function component(crate, checksum) {
  return {
    type: 'library',
    'bom-ref': reference(crate),
    name: crate.name,
    version: crate.version,
    ...(crate.source && { purl: reference(crate) }), // our own crates have no source
    ...(checksum && { hashes: [{ alg: 'SHA-256', content: checksum }] }),
    ...(crate.license && { licenses: [{ expression: crate.license.replaceAll('/', ' OR ') }] }),
  };
}

/** The bill of materials of a package-lock.json. */
export function npmSbom(folder) {
  const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'];
  const text = execFileSync('npm', args, { cwd: folder, maxBuffer: 64e6, stdio: ['ignore', 'pipe', 'ignore'] });
  return JSON.parse(text);
}

function main() {
  mkdirSync(FOLDER, { recursive: true });
  const boms = [['rust', rustSbom()], ...Object.entries(npmFolders).map(([folder, name]) => [name, npmSbom(folder)])];
  for (const [name, bom] of boms) {
    const file = `${FOLDER}/${name}.cdx.json`;
    writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`);
    console.log(`sbom: ${file} lists ${bom.components.length} packages`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
