import { testStores } from '@quire/testing';
import { queueBackendConformance } from '../conformance/queue-backend.conformance.js';
import { storeOutageConformance } from '../conformance/store-outage.conformance.js';
import type { StoreUnderTest } from '../conformance/cases.js';
import { openRedisBackend } from './redis-backend.js';

const logger = { warn: () => undefined, info: () => undefined, error: () => undefined };
const redis: StoreUnderTest = {
  url: () => testStores().redisUrl,
  open: (redisUrl) => openRedisBackend({ redisUrl, namespace: 'queue_tests', logger }),
};

queueBackendConformance('Redis', redis);
storeOutageConformance('Redis', redis);
