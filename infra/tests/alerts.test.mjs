import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import yaml from 'yaml';

const { metricCatalogue } = await import('@quire/observability');
const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const read = (path) => readFileSync(at(path), 'utf8');
const rulesFile = 'infra/prometheus/quire.rules.yaml';
const alerts = yaml
  .parse(read(rulesFile))
  .groups.flatMap(({ rules }) => rules)
  .filter(({ alert }) => alert !== undefined);
const dashboards = readdirSync(at('infra/grafana/dashboards')).map(
  (name) => `infra/grafana/dashboards/${name}`,
);
const runbooks = readdirSync(at('docs/runbooks')).map((name) => `docs/runbooks/${name}`);

/** The metrics that a text names, as the catalogue has them. */
function metricsIn(text) {
  const names = [...text.matchAll(/(?<![a-z:_-])quire_[a-z_]+/g)].map(([name]) => name);
  return [...new Set(names)].map((name) => {
    const base = name.replace(/_(bucket|sum|count)$/, '');
    return metricCatalogue[base]?.type === 'histogram' ? base : name;
  });
}

test('each alert fires for its cause, and none for a healthy installation', () => {
  const cwd = at('infra/prometheus');
  execFileSync('promtool', ['check', 'rules', 'quire.rules.yaml'], { cwd });
  execFileSync('promtool', ['test', 'rules', 'quire.rules.test.yaml'], { cwd });
  const tested = yaml
    .parse(read('infra/prometheus/quire.rules.test.yaml'))
    .tests.flatMap(({ alert_rule_test: tests }) => tests);
  for (const { alert } of alerts) {
    const fires = tested
      .filter(({ alertname }) => alertname === alert)
      .map(({ exp_alerts: fired }) => fired.length > 0);
    assert.deepEqual(fires.sort(), [false, true], alert);
  }
});

test('compose scrapes every target', () => {
  const cwd = at('infra/prometheus');
  execFileSync('promtool', ['check', 'config', 'prometheus.yaml'], { cwd });
  const { scrape_configs: jobs } = yaml.parse(read('infra/prometheus/prometheus.yaml'));
  const scraped = jobs.flatMap(({ dns_sd_configs: found }) =>
    found.flatMap(({ names, port }) => names.map((name) => [name, port])),
  );
  const { api, worker } = JSON.parse(read('services/standalone/targets.json'));
  const expected = [...api, ...worker].map((target) => [target, target === 'gateway' ? 5321 : 4321]);
  assert.deepEqual(scraped.sort(), expected.sort());
  // Prometheus renames labels of metrics that it sets itself, unless the scrape honours them: alerts name them.
  const labels = Object.values(metricCatalogue).flatMap(({ labels }) => labels);
  assert.ok(labels.includes('job'));
  for (const job of jobs) assert.equal(job.honor_labels, true, job.job_name);
});

test('each alert has a runbook with its parts, and each runbook an alert', () => {
  assert.deepEqual(runbooks.sort(), alerts.map(({ annotations }) => annotations.runbook).sort());
  for (const { alert, annotations } of alerts) {
    const text = read(annotations.runbook);
    assert.match(text, new RegExp(`^Alert \`${alert}\``, 'm'));
    const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    assert.deepEqual(headings, ['Meaning', 'Look', 'Do', 'Do not'], alert);
  }
});

for (const path of [rulesFile, ...dashboards, ...runbooks])
  test(`${path} names metrics of the catalogue`, () => {
    for (const name of metricsIn(read(path))) assert.ok(name in metricCatalogue, name);
  });
