import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

type Graph = Map<string, string[]>;

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.(test|d)\./.test(file))
  .map((file) => join('src', file));
const graph: Graph = new Map(sources.map((file) => [file, importsOf(file)]));

/** All of them: static, types only, and `import()`. */
function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => fileOf(join(dirname(file), fileName)))
    .filter((path) => path !== undefined);
}

function fileOf(path: string): string | undefined {
  const files = [`${path}.ts`, `${path}.tsx`, join(path, 'index.ts')];
  return files.find((file) => existsSync(file));
}

/** The files of each circle, in the order in which they import each other. */
function circlesIn(imports: Graph): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: string[]) => {
    const start = path.indexOf(file);
    if (start >= 0) circles.push([...path.slice(start), file].join(' -> '));
    if (start >= 0 || done.has(file)) return;
    for (const imported of imports.get(file) ?? []) visit(imported, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return circles;
}

it('finds a circle', () => {
  const imports = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['b']],
    ['d', []],
  ]);
  expect(circlesIn(imports)).toEqual(['b -> c -> b']);
});

it('no file imports itself through others', () => {
  expect(graph.get('src/console/app/AdminApp.tsx')).toContain('src/console/app/Shell.tsx');
  expect(circlesIn(graph)).toEqual([]);
});
