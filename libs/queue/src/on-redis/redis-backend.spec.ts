import { testStores } from '@quire/testing';
import { deadStoreConformance, queueBackendConformance } from '../conformance/queue-backend.conformance.js';
import { redisBackend } from './redis-backend.js';

const logger = { warn: () => undefined, info: () => undefined };

queueBackendConformance('Redis', () =>
  redisBackend({ redisUrl: testStores().redisUrl, namespace: 'queue_tests', logger }),
);
deadStoreConformance('Redis', () =>
  redisBackend({ redisUrl: 'redis://127.0.0.1:1', namespace: 'queue_tests', logger }),
);
