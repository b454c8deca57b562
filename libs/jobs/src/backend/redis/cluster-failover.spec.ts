import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually, startRedisCluster, type RedisCluster, type RedisServer } from '@quire/testing';
import { freshName, job } from '../conformance/cases.js';
import { isStoreFailure } from '../store-errors.js';
import { namespace, openQueue, withinMs } from './failover.fixture.js';

const nodeTimeoutMs = 1_500;
const heldJobs = Array.from({ length: 20 }, (_, index) => `held-${index}`);
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
}, withinMs);

async function startCluster(options: { hasReplicas: boolean }): Promise<RedisCluster> {
  const cluster = await startRedisCluster({ ...options, nodeTimeoutMs });
  closers.push(() => cluster.stop());
  return cluster;
}

const tagOf = (queue: string) => `{${namespace}:${queue}}`;

/** The name of a queue on the same node as the relay: its loss is that of both. */
async function queueBesideRelay(cluster: RedisCluster): Promise<string> {
  const relayNode = await cluster.primaryOf(`{${namespace}}`);
  for (;;) {
    const name = freshName();
    if ((await cluster.primaryOf(tagOf(name))) === relayNode) return name;
  }
}

/** Waits until the replica of a primary has all its writes. */
async function replicated({ client }: RedisServer, queue: string): Promise<void> {
  await client.set(`${tagOf(queue)}-last`, 1);
  expect(await client.wait(1, withinMs)).toBe(1);
}

describe('the queue backend on Redis Cluster', () => {
  it.each([
    ['has ended', 'SIGKILL'],
    ['does not respond', 'SIGSTOP'],
  ] as const)(
    'goes on with the replica of a primary that %s: no job that had reached it is lost, and none runs twice',
    async (_, signal) => {
      const cluster = await startCluster({ hasReplicas: true });
      const name = await queueBesideRelay(cluster);
      const { backend, add, seen } = await openQueue(cluster.url, closers, name);
      const relay = await backend.relay('receiver');
      const heard: unknown[] = [];
      let gaps = 0;
      relay.onReconnect(() => (gaps += 1));
      await relay.subscribe('topic.*', (data) => heard.push(data));
      expect(await add('before')).toBe(true);
      expect(await eventually(async () => seen.includes('before'))).toBe(true);
      await backend.admin(name).pause();
      await backend.queue(name).addAll(heldJobs.map((id) => job(id)));
      const primary = await cluster.primaryOf(tagOf(name));
      await replicated(primary, name);

      primary.process.kill(signal);
      expect(await eventually(() => add('after'), Boolean, withinMs)).toBe(true);
      const resumed = () =>
        backend
          .admin(name)
          .resume()
          .then(
            () => true,
            () => false,
          );
      expect(await eventually(resumed, Boolean, withinMs)).toBe(true);
      expect(await eventually(async () => seen.includes('after'), Boolean, withinMs)).toBe(true);
      expect([...seen].sort()).toEqual(['before', ...heldJobs, 'after'].sort());

      const hears = async () => {
        relay.publish('topic.one', { n: 1 });
        return heard.length > 0;
      };
      expect(await eventually(hears, Boolean, withinMs)).toBe(true);
      expect(gaps).toBeGreaterThan(0);
    },
    3 * withinMs,
  );

  it(
    'reports that the store is down while no node serves the keys of a queue',
    async () => {
      const cluster = await startCluster({ hasReplicas: false });
      const name = freshName();
      const { backend } = await openQueue(cluster.url, closers, name);
      const errorOfAdding = () =>
        backend
          .queue(name)
          .addAll([job('a')])
          .then(
            () => undefined,
            (error: unknown) => error,
          );
      expect(await errorOfAdding()).toBeUndefined();
      const primary = await cluster.primaryOf(tagOf(name));
      const other = cluster.primaries.find((server) => server !== primary);
      primary.process.kill('SIGKILL');
      const refusal = await errorOfAdding();
      expect(refusal).toBeInstanceOf(Error);
      expect(isStoreFailure(refusal)).toBe(true);
      // The other nodes notice it, and then serve no keys at all.
      const isDown = async () =>
        String(await other?.client.call('CLUSTER', 'INFO')).includes('cluster_state:fail');
      expect(await eventually(isDown, Boolean, withinMs)).toBe(true);
      expect(isStoreFailure(await errorOfAdding())).toBe(true);
      await expect(backend.ping()).rejects.toThrow();
    },
    3 * withinMs,
  );
});
