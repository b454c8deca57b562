import { testStores } from '@quire/testing';
import { queueBackendConformance } from '../conformance/queue-backend.conformance.js';
import { storeOutageConformance } from '../conformance/store-outage.conformance.js';
import type { StoreUnderTest } from '../conformance/cases.js';
import { openPostgresBackend } from './postgres-backend.js';

const logger = { warn: () => undefined, info: () => undefined, error: () => undefined };
const postgres: StoreUnderTest = {
  url: () => testStores().databaseUrl,
  open: (databaseUrl) => openPostgresBackend({ databaseUrl, namespace: 'queue_tests', logger }),
};

queueBackendConformance('PostgreSQL', postgres);
storeOutageConformance('PostgreSQL', postgres);
