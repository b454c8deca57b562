import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, startRedisCluster, type RedisCluster } from '@quire/testing';
import { freshName, oneWorker, type StoreUnderTest } from '../conformance/cases.js';
import { queueBackendConformance } from '../conformance/queue-backend.conformance.js';
import { storeOutageConformance } from '../conformance/store-outage.conformance.js';
import { openRedisBackend } from './redis-backend.js';

const logger = { warn: () => undefined, info: () => undefined, error: () => undefined };
let servers: RedisCluster;
beforeAll(async () => {
  servers = await startRedisCluster();
});
afterAll(() => servers.stop());

const cluster: StoreUnderTest = {
  url: () => servers.url,
  open: (redisUrl) => openRedisBackend({ redisUrl, namespace: 'queue_tests', logger }),
};

queueBackendConformance('Redis Cluster', cluster);
storeOutageConformance('Redis Cluster', cluster);

it('names each worker of a queue once, although it has connections to several nodes', async () => {
  const backend = cluster.open(cluster.url());
  const queue = freshName();
  for (const name of ['one', 'two'])
    await backend.worker(queue, { ...oneWorker, name }, async () => undefined);
  const names = async () => (await backend.admin(queue).workers()).sort();
  expect(await eventually(names, ({ length }) => length === 2)).toEqual(['one', 'two']);
  expect(await backend.admin(queue).state()).toMatchObject({ workers: 2 });
  await backend.close();
});
