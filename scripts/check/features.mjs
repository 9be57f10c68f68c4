// Fails when two of our build commands compile the same crate with different features. Cargo would then compile that
// crate, and every crate above it, once for each command. Nothing is compiled here: `cargo tree` knows the features.
//
//   node scripts/check/features.mjs SELECTION...    each SELECTION holds the package options of one `cargo build`
//
// The tests build the whole workspace with its dev-dependencies, so they turn on the most features. Every other command
// has to compile the crates that it needs exactly as the tests do.
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { report } from './report.mjs';

/** The crates of one `cargo tree --format '{p}\t{f}'`: from name and version to the set of feature lists in use. */
export function parseTree(text) {
  const crates = new Map();
  for (const line of text.split('\n')) {
    const [crate, features] = line.replace(/ \(\*\)$/, '').split('\t');
    if (features === undefined) continue; // an empty line, or a heading such as [dev-dependencies]
    const name = crate.split(' ').slice(0, 2).join(' ');
    crates.set(name, (crates.get(name) ?? new Set()).add(features.trim()));
  }
  return crates;
}

/** Names every crate that `built` compiles with a feature list that `tested` does not use. */
export function featureProblems(selection, built, tested) {
  return [...built].flatMap(([crate, lists]) => {
    const used = tested.get(crate) ?? new Set();
    const different = [...lists].filter((list) => !used.has(list));
    return different.map((list) => `${crate}: cargo build ${selection} compiles it ${difference(list, used)}`);
  });
}

function difference(list, used) {
  const features = list.split(',');
  const missing = [...new Set([...used].flatMap((other) => other.split(',')))].filter((name) => !features.includes(name));
  return missing.length > 0 ? `without ${missing.join(', ')}, the tests compile it with them` : `with ${list}, the tests compile it with fewer`;
}

/** The crates that a selection compiles: those for the program alone, and those with proc macros and build scripts. */
const treeKinds = [['normal', 'no-proc-macro'], ['normal', 'build']];

function cargoTree(selection, edges) {
  const options = ['tree', '--locked', '--prefix', 'none', '--format', '{p}\t{f}', '--edges', edges.join(',')];
  return parseTree(execFileSync('cargo', [...options, ...selection.split(' ')], { encoding: 'utf8', maxBuffer: 64e6 }));
}

function main(selections) {
  const problems = treeKinds.flatMap((edges) => {
    const tested = cargoTree('--workspace', [...edges, 'dev']);
    return selections.flatMap((selection) => featureProblems(selection, cargoTree(selection, edges), tested));
  });
  if (problems.length > 0) {
    problems.push('turn the missing features on in Cargo.toml, under [workspace.dependencies]. If only other crates call the crate, also add it to crates/app/tombola/Cargo.toml and to featureOnly in scripts/check/layers.mjs.');
  }
  report('check-features', problems, 'every command compiles each crate with the same features');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
