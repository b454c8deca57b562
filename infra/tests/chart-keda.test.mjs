import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { startEmbeddedPostgres } from '../dist/postgres/embedded-postgres.js';
import { startRedis } from '../dist/stores/redis.js';
import { mistakesOf, ofKind, render, valuesOf } from './chart-harness.mjs';
import { temporaryFolder } from './harness.mjs';

const { connectQueueBackend, jobs } = await import('@quire/jobs');
const { metricCatalogue } = await import('@quire/observability');
const { createRedis } = await import('@quire/redis');
const { workerTargets } = await import('@quire/topology');
const logger = { warn: () => undefined, info: () => undefined, error: () => undefined };
const queues = [...new Set(jobs.map(({ queue }) => queue))];
const keda = valuesOf('keda');
const byPrometheus = render(keda);
const byPostgres = render(valuesOf('postgres-queues'));
const byRedis = (redis) =>
  render({
    ...keda,
    keda: { enabled: true, trigger: 'redis', redis: { addresses: 'redis:6379', ...redis } },
  });

/** The triggers of all workers, by their name. */
const triggersOf = (manifests) =>
  new Map(
    ofKind(manifests, 'ScaledObject').flatMap(({ spec }) =>
      spec.triggers.map((trigger) => [trigger.name, trigger]),
    ),
  );
/** The triggers of the queues for one measure: `jobs`, `age` or `outbox-age`. */
const ofMeasure = (manifests, measure) =>
  new Map(queues.map((queue) => [queue, triggersOf(manifests).get(`${queue}-${measure}`)?.metadata]));

for (const [store, manifests, measures] of [
  ['Prometheus', byPrometheus, ['jobs', 'age', 'outbox-age']],
  ['PostgreSQL', byPostgres, ['jobs', 'age']],
  ['Redis', byRedis({}), ['jobs']],
])
  test(`with ${store}, each worker is scaled by its own queues, and never to zero`, () => {
    const objects = ofKind(manifests, 'ScaledObject');
    assert.deepEqual(
      objects.map(({ metadata }) => metadata.name).sort(),
      workerTargets.map((target) => `quire-${target}`).sort(),
    );
    for (const { metadata, spec } of objects) {
      const own = queues.filter((queue) =>
        jobs.some((job) => job.queue === queue && `quire-${job.target}` === metadata.name),
      );
      const expected = own.flatMap((queue) => measures.map((measure) => `${queue}-${measure}`));
      assert.deepEqual(spec.triggers.map(({ name }) => name).sort(), expected.sort());
      assert.ok(spec.minReplicaCount >= 1);
    }
  });

test('the queries of Prometheus name metrics and labels of the catalogue, and are valid', (t) => {
  const expressions = [...triggersOf(byPrometheus).values()].map(({ metadata }) => metadata.query);
  for (const expression of expressions) {
    const series = [...expression.matchAll(/(\w+)\{(.*?)\}/g)];
    assert.ok(series.length > 0);
    for (const [, metric, matchers] of series) {
      assert.ok(metric in metricCatalogue, metric);
      const [queue, ...labels] = [...matchers.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => [
        label,
        value,
      ]);
      assert.ok(queue[0] === 'queue' && queues.includes(queue[1]), matchers);
      for (const [label, value] of labels) {
        // the matcher of the values
        if (label === 'namespace') continue;
        assert.ok(metricCatalogue[metric].labels.includes(label), label);
        assert.equal(value, 'waiting');
      }
    }
  }
  const file = join(temporaryFolder(t), 'rules.yaml');
  const rules = expressions.map((expr, index) => ({ record: `trigger:${index}`, expr }));
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'triggers', rules }] }));
  execFileSync('promtool', ['check', 'rules', file]);
});

/** Adds waiting jobs, of which the oldest waits for 90 seconds, and a delayed one. */
async function addJobs(backend, queue, count) {
  const [{ attempts, backoffMs, keepCompleted, keepFailed }] = jobs;
  const settings = { name: 'a', data: {}, attempts, backoffMs, keepCompleted, keepFailed, delayMs: 0 };
  const waiting = Array.from({ length: count }, (_, index) => ({
    ...settings,
    id: `${queue}-${index}`,
    waitingSince: new Date(Date.now() - 90_000),
  }));
  await backend.queue(queue).addAll([...waiting, { ...settings, id: `${queue}-later`, delayMs: 600_000 }]);
}

test('the lists of Redis are those in which jobs wait', async (t) => {
  const server = await startRedis({ dir: temporaryFolder(t) });
  const backend = connectQueueBackend({ redisUrl: server.url, databaseUrl: '', namespace: 'quire', logger });
  const client = createRedis(server.url, { whenDown: 'fail', connectTimeoutMs: 5_000, maxReconnectMs: 100 });
  try {
    for (const [index, [queue, { listName }]] of [...ofMeasure(byRedis({}), 'jobs')].entries()) {
      await addJobs(backend, queue, index + 1);
      assert.equal(await client.llen(listName), index + 1, listName);
    }
  } finally {
    client.disconnectAll();
    await backend.close();
    await server.stop();
  }
});

test('the lists of Redis Cluster have the hash tags of the queues', async (t) => {
  const redisUrl = 'redis+cluster://127.0.0.1:1';
  const backend = connectQueueBackend({ redisUrl, databaseUrl: '', namespace: 'quire', logger });
  t.after(() => backend.close());
  const manifests = byRedis({ servers: 'cluster' });
  for (const [queue, { listName }] of ofMeasure(manifests, 'jobs'))
    assert.equal(listName, backend.raw(queue).toKey('wait'));
  assert.equal(triggersOf(manifests).get('media-jobs').type, 'redis-cluster');
});

test('sentinels are asked for the primary of the group, with the database and its password', async () => {
  const manifests = byRedis({ servers: 'sentinel', sentinelMaster: 'main', database: 2 });
  const { type, metadata, authenticationRef } = triggersOf(manifests).get('media-jobs');
  assert.equal(type, 'redis-sentinel');
  const { addresses, sentinelMaster, databaseIndex } = metadata;
  assert.deepEqual([addresses, sentinelMaster, databaseIndex], ['redis:6379', 'main', '2']);
  const [{ metadata: own, spec }] = ofKind(manifests, 'TriggerAuthentication');
  assert.equal(authenticationRef.name, own.name);
  assert.deepEqual(spec.secretTargetRef, [
    { parameter: 'password', name: 'quire-redis', key: 'REDIS_PASSWORD' },
  ]);
  assert.deepEqual(await mistakesOf(manifests), []);
});

test('another namespace is in the names of lists and schemas', () => {
  const variables = { CMS_NAMESPACE: 'other' };
  const redis = { addresses: 'redis:6379' };
  const onRedis = render({ ...keda, variables, keda: { enabled: true, trigger: 'redis', redis } });
  assert.equal(ofMeasure(onRedis, 'jobs').get('media').listName, 'other:media:wait');
  const onPostgres = render({ ...valuesOf('postgres-queues'), variables });
  assert.match(ofMeasure(onPostgres, 'jobs').get('media').query, / other_queue\.job /);
});

test('the statements of PostgreSQL count waiting jobs and the age of the oldest, and none of a paused queue', async (t) => {
  const postgres = await startEmbeddedPostgres({ dataDir: temporaryFolder(t) });
  const backend = connectQueueBackend({
    redisUrl: undefined,
    databaseUrl: postgres.url,
    namespace: 'quire',
    logger,
  });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const read = async ({ query }) => Number(Object.values((await client.query(query)).rows[0])[0]);
  const [jobsOf, ageOf] = [ofMeasure(byPostgres, 'jobs'), ofMeasure(byPostgres, 'age')];
  try {
    for (const [index, queue] of queues.entries()) {
      await addJobs(backend, queue, index + 1);
      assert.equal(await read(jobsOf.get(queue)), index + 1);
      const age = await read(ageOf.get(queue));
      assert.ok(age >= 90 && age < 600, String(age));
    }
    const [queue] = queues;
    await backend.raw(queue).pause();
    assert.deepEqual([await read(jobsOf.get(queue)), await read(ageOf.get(queue))], [0, 0]);
  } finally {
    await client.end();
    await backend.close();
    await postgres.stop();
  }
});
