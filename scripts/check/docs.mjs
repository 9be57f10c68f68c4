// Checks all documents: every path of this repository that they name in backticks, in shell blocks or in links exists, and so does
// every `make` target. Decisions that comments cite have a line in docs/decisions.md, and nothing else has.
//
//   node scripts/check/docs.mjs
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { report } from './report.mjs';

const NOT_OURS = ['.git', 'node_modules', 'target', 'dist', '.data', '.env', '__pycache__'];
const FILE_NAME = /\.(rs|toml|md|sh|mjs|cjs|js|py|ts|tsx|css|json|sql|yml|html|svg|png)$/;
const LOOKS_LIKE_A_PATH = /^[\w@.*{},/-]+$/;

/** The paths of all files and folders in the repository, relative to `root`, with forward slashes. */
export function listPaths(root, folder = root) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !NOT_OURS.includes(entry.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return [relative(root, path).replaceAll('\\', '/'), ...(entry.isDirectory() ? listPaths(root, path) : [])];
    });
}

/** Lists the paths and targets that one document names and that do not exist. */
export function documentProblems(file, text, { paths, targets }) {
  const code = codeIn(text);
  return [
    ...linksIn(text).filter((link) => !paths.includes(join(dirname(file), link).replace(/\/$/, ''))),
    ...code.flatMap(wordsOf).filter((word) => isOurs(word, paths) && !exists(word, paths, dirname(file))),
    ...code.flatMap(makeTargetsIn).filter((target) => !targets.includes(target)).map((target) => `make ${target}`),
  ].map((name) => `${file}: there is no ${name}`);
}

const withoutFences = (text) => text.replaceAll(/^( *)```[^]*?^\1```/gm, '');

/** Inline code and the lines of shell blocks. Other blocks may name paths that are not in this repository. */
function codeIn(text) {
  const shell = [...text.matchAll(/^( *)```(?:sh|bash|console)\n([^]*?)^\1```/gm)].flatMap((match) => match[2].split('\n'));
  const inline = [...withoutFences(text).matchAll(/`([^`\n]+)`/g)].map((match) => match[1]);
  return [...inline, ...shell];
}

function linksIn(text) {
  return [...withoutFences(text).matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)]
    .map((match) => match[1].replace(/#.*/, ''))
    .filter((link) => link !== '' && !/^[a-z]+:/.test(link));
}

const wordsOf = (code) => code.split(/\s+/).map((word) => word.replace(/^\.\//, '').replace(/[,:;]$/, ''));
const makeTargetsIn = (code) => [...code.matchAll(/\bmake ([a-z][a-z0-9-]*)\b(?!=)/g)].map((match) => match[1]);

/** A word is a path of this repository if it starts with one of its folders or looks like a file name. */
function isOurs(word, paths) {
  if (!LOOKS_LIKE_A_PATH.test(word) || word.startsWith('/')) return false;
  if (word.split('/').some((part) => NOT_OURS.includes(part))) return false;
  const first = word.split('/')[0];
  const inFolder = word.includes('/') && (paths.includes(first) || paths.some((path) => new RegExp(`^crates/[a-z]+/${first}$`).test(path)));
  return inFolder || FILE_NAME.test(word);
}

/** Paths are relative to the root, to the folder of a layer in `crates/` or to the document; a bare file name may be anywhere. Braces and stars may match several. */
function exists(word, paths, folder) {
  return expand(word.replace(/\/$/, '')).every((path) => {
    const places = path.includes('/') ? `(crates/[a-z]+/|${folder}/)?` : '(.*/)?';
    const pattern = new RegExp(`^${places}${path.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`);
    return paths.some((candidate) => pattern.test(candidate));
  });
}

function expand(path) {
  const braces = path.match(/^(.*?)\{([^{}]*)\}(.*)$/);
  return braces ? braces[2].split(',').flatMap((choice) => expand(`${braces[1]}${choice}${braces[3]}`)) : [path];
}

/** Lists decisions that sources cite, as in `(D37)`, without a line on the page about decisions, and lines that nothing cites. */
export function decisionProblems(page, sources) {
  const listed = [...page.matchAll(/^- \*\*(D\d+[ab]?)\b/gm)].map((match) => match[1]);
  const citations = sources.flatMap((text) => [...text.matchAll(/\((D\d+[ab]?(?:, D\d+[ab]?)*)\)/g)]);
  const cited = citations.flatMap((match) => match[1].split(', '));
  return [
    ...cited.filter((id) => !listed.includes(id)).map((id) => `docs/decisions.md: there is no line for ${id}`),
    ...listed.filter((id) => !cited.includes(id)).map((id) => `docs/decisions.md: nothing cites ${id}`),
  ];
}

function main() {
  const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
  const paths = listPaths(root);
  const targets = [...readFileSync(join(root, 'Makefile'), 'utf8').matchAll(/^([a-z][a-z0-9 -]*):/gm)].flatMap((match) => match[1].split(' '));
  const documents = paths.filter((path) => path.endsWith('.md'));
  const read = (file) => readFileSync(join(root, file), 'utf8');
  const sources = paths.filter((path) => /^(crates|frontend\/src|migrations)\/.*\.(rs|tsx?|sql)$/.test(path));
  const problems = [
    ...documents.flatMap((file) => documentProblems(file, read(file), { paths, targets })),
    ...decisionProblems(read('docs/decisions.md'), sources.map(read)),
  ];
  report('check-docs', problems, `every path that ${documents.length} documents name exists, and every decision that is cited has a line`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
