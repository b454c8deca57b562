import { testStores } from '@quire/testing';
import { deadStoreConformance, queueBackendConformance } from '../conformance/queue-backend.conformance.js';
import { postgresBackend } from './postgres-backend.js';

const logger = { warn: () => undefined, info: () => undefined };

queueBackendConformance('PostgreSQL', () =>
  postgresBackend({ databaseUrl: testStores().databaseUrl, namespace: 'queue_tests', logger }),
);
deadStoreConformance('PostgreSQL', () =>
  postgresBackend({ databaseUrl: 'postgresql://nobody@127.0.0.1:1/none', namespace: 'queue_tests', logger }),
);
