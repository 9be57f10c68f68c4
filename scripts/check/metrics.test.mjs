import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentProblems, expressionProblems, metricsOf, namesIn } from './metrics.mjs';

const metrics = metricsOf(`
  metrics::counter!("answers_total", "route" => route.clone(), "status" => status.to_string())
    .increment(1);
  metrics::counter!("answers_total", "method" => method).increment(1);
  metrics::gauge!("waiting").set(1.0);
  let wait = Wait { queue: metrics::histogram!("wait_seconds", "pool" => name), };
`);

test('metrics are found with their kinds and all of their labels', () => {
  assert.deepEqual([...metrics.keys()], ['answers_total', 'waiting', 'wait_seconds']);
  assert.deepEqual([...metrics.get('answers_total').labels], ['route', 'status', 'method']);
  assert.equal(metrics.get('wait_seconds').kind, 'histogram');
});

test('an expression is taken apart', () => {
  const { names, labels } = namesIn('histogram_quantile(0.9, sum by (le, pool) (rate(wait_seconds_bucket{route!~"/api/.*"}[$__rate_interval])))');
  assert.deepEqual(names, ['wait_seconds_bucket']);
  assert.deepEqual([...labels].sort(), ['le', 'pool', 'route']);
});

test('known metrics and labels pass', () => {
  for (const expression of [
    'sum(rate(answers_total{status=~"5..", route!="/"}[5m])) / sum(rate(answers_total[5m])) > 0.02',
    'up{job="tombola"} == 0',
    'sum by (le, pool) (rate(wait_seconds_bucket[5m]))',
    'max(waiting) unless on (instance) up == 0',
  ]) {
    assert.deepEqual(expressionProblems(expression, metrics), [], expression);
  }
});

test('unknown metrics and labels are named', () => {
  assert.deepEqual(expressionProblems('rate(answer_total[5m])', metrics), ['there is no metric answer_total']);
  assert.deepEqual(expressionProblems('wait_seconds', metrics), ['there is no metric wait_seconds']);
  assert.deepEqual(expressionProblems('waiting_sum', metrics), ['there is no metric waiting_sum']);
  assert.deepEqual(expressionProblems('sum by (pool) (answers_total)', metrics), ['answers_total has no label pool']);
  assert.deepEqual(expressionProblems('1', metrics), ['it names no metric']);
});

test('the document has every metric and label, and no other', () => {
  const table = '| `answers_total` | route, status, method |\n| `waiting` (0 or 1) | |\n| `wait_seconds` | pool |\n';
  assert.deepEqual(documentProblems(table, metrics), []);
  assert.deepEqual(documentProblems(table.replace('pool', ''), metrics), ['wait_seconds: its label pool is missing']);
  assert.deepEqual(documentProblems(`${table}| \`gone_total\` | |\n`, metrics), ['there is no metric gone_total']);
  assert.deepEqual(documentProblems(table.replace('`waiting`', 'waiting'), metrics), ['waiting is missing']);
});
