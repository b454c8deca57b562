import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { test } from 'node:test';
import yaml from 'yaml';
import { cases, ofKind, podsOf, read, render, valuesOf, withValues } from './chart-harness.mjs';

const { apiTargets, workerTargets } = await import('@quire/topology');
const rendered = Object.fromEntries(cases.map((name) => [name, render(valuesOf(name))]));
const minimal = valuesOf('minimal');

/** Values with one of them changed. @param path such as `keda.trigger`; undefined removes the value */
function changed(path, value, values = minimal) {
  const copy = structuredClone(values);
  const names = path.split('.');
  const last = names.pop();
  const parent = names.reduce((object, name) => (object[name] ??= {}), copy);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

for (const [path, value, mistake] of [
  ['replicas', 2, /additional properties 'replicas' not allowed/],
  ['database.url', 'postgresql://a', /additional properties 'url' not allowed/],
  ['targets.content.image', 'other', /additional properties 'image' not allowed/],
  ['targets.search-worker.autoscaling', { enabled: true }, /additional properties 'enabled' not allowed/],
  ['targets.contents', { replicas: 2 }, /targets\.contents: there is no such target/],
  ['publicUrl', undefined, /publicUrl/],
  ['publicUrl', 'cms.example.com', /publicUrl/],
  ['database.existingSecret', undefined, /database\/existingSecret/],
  ['s3.bucket', undefined, /s3\/bucket/],
  ['api.replicas', '2', /api\/replicas.*integer/s],
  ['worker.autoscaling.minReplicas', 0, /minReplicas/],
  ['drainSeconds', 61, /drainSeconds/],
  ['variables', { CMS_MAX_UPLOAD_BYTES: 5 }, /CMS_MAX_UPLOAD_BYTES/],
  ['variables', { 'cms-log': 'info' }, /cms-log/],
  // those that other values set
  ['variables', { CMS_DRAIN_SECONDS: '10' }, /CMS_DRAIN_SECONDS/],
  ['secretVariables', { S3_SECRET_KEY: 'other' }, /S3_SECRET_KEY/],
  ['image.digest', 'sha256:1', /digest/],
  ['keda', { enabled: true }, /keda\.prometheus\.serverAddress: the trigger prometheus needs it/],
  ['keda', { enabled: true, trigger: 'redis' }, /keda\.redis\.addresses and redis\.existingSecret/],
  ['keda.trigger', 'kafka', /trigger/],
])
  test(`values with ${path} = ${JSON.stringify(value)} are refused`, () => {
    const { status, stderr } = withValues(['template', 'quire'], changed(path, value));
    assert.notEqual(status, 0);
    assert.match(stderr, mistake);
  });

test('PostgreSQL does not scale the workers of queues in Redis', () => {
  const values = changed('redis.existingSecret', 'quire-redis', valuesOf('postgres-queues'));
  assert.match(withValues(['template', 'quire'], values).stderr, /the queues are in Redis/);
});

test('Prometheus scrapes each pod, and keeps the labels of the metrics', () => {
  const { full } = rendered;
  const [{ spec, metadata }] = ofKind(full, 'ServiceMonitor');
  assert.equal(metadata.labels.release, 'prometheus');
  const matches = (labels, wanted) => Object.entries(wanted).every(([name, value]) => labels[name] === value);
  const services = ofKind(full, 'Service').filter(({ metadata: { labels } }) =>
    matches(labels, spec.selector.matchLabels),
  );
  assert.equal(services.length, 1);
  const [{ spec: service }] = services;
  const pods = podsOf(ofKind(full, 'Deployment')).filter(({ labels }) => matches(labels, service.selector));
  assert.equal(pods.length, apiTargets.length + workerTargets.length);
  const [port] = service.ports;
  for (const pod of pods)
    assert.ok(
      pod.spec.containers[0].ports.some(({ name }) => name === port.targetPort),
      pod.name,
    );
  assert.deepEqual(spec.endpoints, [{ port: port.name, path: '/metrics', honorLabels: true }]);
});

test('alerts and dashboards are those of the repository', () => {
  const { full } = rendered;
  const [{ spec }] = ofKind(full, 'PrometheusRule');
  assert.deepEqual(spec, yaml.parse(read('infra/prometheus/quire.rules.yaml')));
  const [{ data, metadata }] = ofKind(full, 'ConfigMap').filter(
    ({ metadata: { name } }) => name === 'quire-dashboards',
  );
  assert.equal(metadata.labels.grafana_dashboard, '1');
  const folder = 'infra/grafana/dashboards';
  const files = readdirSync(new URL(`../../${folder}`, import.meta.url));
  assert.deepEqual(data, Object.fromEntries(files.map((file) => [file, read(`${folder}/${file}`)])));
});

test('a Deployment that is scaled has no number of replicas', () => {
  for (const name of cases) {
    const manifests = rendered[name];
    const scalers = [...ofKind(manifests, 'HorizontalPodAutoscaler'), ...ofKind(manifests, 'ScaledObject')];
    const scaled = scalers.map(({ spec }) => spec.scaleTargetRef.name);
    for (const { metadata, spec } of ofKind(manifests, 'Deployment'))
      assert.equal(spec.replicas === undefined, scaled.includes(metadata.name), `${name} ${metadata.name}`);
    assert.equal(ofKind(manifests, 'PodDisruptionBudget').length, ofKind(manifests, 'Deployment').length);
  }
  const byCpu = ofKind(rendered.full, 'HorizontalPodAutoscaler').map(({ metadata }) => metadata.name);
  const expected = apiTargets.filter((target) => target !== 'admin').map((target) => `quire-${target}`);
  assert.deepEqual(byCpu.sort(), expected.sort());
});

/** The number of database connections that the notes of an installation name. */
function connectionsOf(values) {
  const { status, stdout, stderr } = withValues(['install', 'quire', '--dry-run=client'], values);
  assert.equal(status, 0, stderr);
  return Number(/Connections to the database of DATABASE_URL: at most (\d+)/.exec(stdout)[1]);
}

test('the notes name the most database connections of all replicas', () => {
  // with Redis: the gateway has a pool and twelve connections for operators, every other target with data two pools
  const withRedis = changed('redis.existingSecret', 'quire-redis');
  const services = 5;
  const sum = (replicas, pool) =>
    replicas * (pool + 12) + services * replicas * 2 * pool + services * 2 * pool;
  assert.equal(connectionsOf(withRedis), sum(2, 10));
  assert.equal(connectionsOf(changed('database.poolSize', 5, withRedis)), sum(2, 5));
  const scaled = changed('api.autoscaling', { enabled: true, maxReplicas: 6 }, withRedis);
  assert.equal(connectionsOf(scaled), sum(6, 10));
  assert.ok(connectionsOf(minimal) > connectionsOf(withRedis));
});

/** Runs the program of the pod of `helm test` against a server. @returns its exit code, and what the server got */
async function runHelmTest(t, status) {
  const requests = [];
  const server = createServer(({ url, headers }, response) => {
    requests.push([url, headers.host]);
    response.writeHead(status).end('{}');
  });
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const [{ spec }] = ofKind(rendered.minimal, 'Pod');
  const [, ...args] = spec.containers[0].command;
  assert.deepEqual(args.slice(-3), ['quire-gateway', '4321', 'https://cms.example.com']);
  args.splice(-3, 2, '127.0.0.1', String(server.address().port));
  const [code] = await once(spawn(process.execPath, args, { stdio: 'ignore' }), 'exit');
  return { code, requests };
}

test('helm test passes when the gateway and all services respond', async (t) => {
  const requests = [['/_cms/api/openapi.json', 'cms.example.com']];
  assert.deepEqual(await runHelmTest(t, 200), { code: 0, requests });
  assert.deepEqual(await runHelmTest(t, 503), { code: 1, requests });
});
