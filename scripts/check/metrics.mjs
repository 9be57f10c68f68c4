// Checks that the Grafana dashboard, the alert rules and docs/operations.md name metrics and labels that the code records, and
// that the document names all of them.
//
//   node scripts/check/metrics.mjs
import { readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { report } from './report.mjs';

/** Metrics that Prometheus itself makes, and labels that it adds. */
const OF_PROMETHEUS = new Map([['up', new Set()]]);
const ADDED_LABELS = ['job', 'instance', 'le'];
const WORDS = ['and', 'or', 'unless', 'on', 'ignoring', 'by', 'without', 'group_left', 'group_right', 'bool', 'offset'];

/** The metrics that Rust source records: from name to kind and labels. */
export function metricsOf(source) {
  const metrics = new Map();
  for (const match of source.matchAll(/metrics::(counter|gauge|histogram)!\(\s*"([a-z0-9_]+)"/g)) {
    const [, kind, name] = match;
    const known = metrics.get(name) ?? { kind, labels: new Set() };
    const rest = untilClosed(source, match.index + match[0].length);
    for (const [, label] of rest.matchAll(/"([a-z_]+)"\s*=>/g)) known.labels.add(label);
    metrics.set(name, known);
  }
  return metrics;
}

/** The text from `start` to the parenthesis that closes the one before it. */
function untilClosed(source, start) {
  let depth = 1;
  let end = start;
  for (; end < source.length && depth > 0; end += 1) depth += { '(': 1, ')': -1 }[source[end]] ?? 0;
  return source.slice(start, end);
}

/** The metrics of an expression of PromQL, each with the labels that the expression uses. */
export function namesIn(expression) {
  const labels = new Set();
  const take = (list) => [...list.matchAll(/([a-z_]+)\s*(?:[=!]|,|$)/g)].forEach(([, label]) => labels.add(label));
  const bare = expression
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\{([^}]*)\}/g, (_, list) => (take(list), ''))
    .replaceAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g, (_, list) => (take(list), ' '))
    .replaceAll(/\[[^\]]*\]/g, '');
  const names = [...bare.matchAll(/[a-z_][a-z0-9_]*\b(?!\s*\()/gi)].map(([name]) => name);
  return { names: names.filter((name) => !WORDS.includes(name)), labels };
}

/** What is wrong with an expression. */
export function expressionProblems(expression, metrics) {
  const { names, labels } = namesIn(expression);
  const found = names.map((name) => find(name, metrics));
  const unknown = names.filter((_, n) => !found[n]).map((name) => `there is no metric ${name}`);
  const allowed = new Set([...ADDED_LABELS, ...found.flatMap((metric) => [...(metric?.labels ?? [])])]);
  const wrong = unknown.length > 0 ? [] : [...labels].filter((label) => !allowed.has(label));
  const nothing = names.length === 0 ? ['it names no metric'] : [];
  return [...nothing, ...unknown, ...wrong.map((label) => `${names.join(', ')} has no label ${label}`)];
}

function find(name, metrics) {
  if (OF_PROMETHEUS.has(name)) return { labels: OF_PROMETHEUS.get(name) };
  const metric = metrics.get(name);
  if (metric) return metric.kind === 'histogram' ? undefined : metric; // a histogram has only the series below
  const series = /^(.*)_(?:bucket|sum|count)$/.exec(name);
  const histogram = series && metrics.get(series[1]);
  return histogram?.kind === 'histogram' ? histogram : undefined;
}

/** All values of `expr` in a dashboard. */
function dashboardExpressions(value) {
  if (Array.isArray(value)) return value.flatMap(dashboardExpressions);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => (key === 'expr' ? [child] : dashboardExpressions(child)));
}

const ruleExpressions = (text) => [...text.matchAll(/^\s*expr: (.+)$/gm)].map(([, expression]) => expression);

/** Differences between the table of metrics in a document and the code. */
export function documentProblems(text, metrics) {
  const documented = [...text.matchAll(/^\| `([a-z0-9_]+)`[^|]*\|([^\n]*)\|$/gm)].filter(([, name]) => metrics.has(name) || /_(total|seconds)$/.test(name));
  const named = new Set(documented.map(([, name]) => name));
  return [
    ...[...named].filter((name) => !metrics.has(name)).map((name) => `there is no metric ${name}`),
    ...[...metrics.keys()].filter((name) => !named.has(name)).map((name) => `${name} is missing`),
    ...documented.flatMap(([, name, cell]) => [...(metrics.get(name)?.labels ?? [])].filter((label) => !new RegExp(`\\b${label}\\b`).test(cell)).map((label) => `${name}: its label ${label} is missing`)),
  ];
}

function main() {
  const sources = readdirSync('crates', { recursive: true }).filter((path) => /^[^/]+\/[^/]+\/src\/.*\.rs$/.test(path));
  const metrics = metricsOf(sources.map((path) => readFileSync(`crates/${path}`, 'utf8')).join('\n'));
  const read = (path) => readFileSync(path, 'utf8');
  const files = {
    'deploy/monitoring/dashboard.json': dashboardExpressions(JSON.parse(read('deploy/monitoring/dashboard.json'))),
    'deploy/monitoring/alerts.yaml': ruleExpressions(read('deploy/monitoring/alerts.yaml')),
  };
  const problems = Object.entries(files).flatMap(([file, expressions]) =>
    expressions.flatMap((expression) => expressionProblems(expression, metrics).map((problem) => `${file}: ${problem}: ${expression}`)),
  );
  const document = 'docs/operations.md';
  problems.push(...documentProblems(read(document), metrics).map((problem) => `${document}: ${problem}`));
  report('check-metrics', problems, `${Object.values(files).flat().length} expressions and the document agree with the ${metrics.size} metrics of the code`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
