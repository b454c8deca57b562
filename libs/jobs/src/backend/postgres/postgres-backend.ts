import { setUpConnection, type PoolerMode } from '@quire/database';
import {
  createPostgresBackend,
  createPostgresRelayBackend,
  Queue,
  Worker,
  type PostgresPoolConfig,
} from 'bullmq';
import pg from 'pg';
import { createBullMqBackend } from '../bullmq-backend.js';
import type { QueueBackend, QueueLogger } from '../queue-backend.js';

/** Each queue and worker has a small pool. */
const connectionsPerPart = 3;
const defaultConnectTimeoutMs = 1_500;
/** For a database that accepts statements and does not respond. The first statements create BullMQ's tables. */
const addingTimeoutMs = 5_000;
const pingTimeoutMs = 2_000;

/** BullMQ in the schema `<namespace>_queue` of a PostgreSQL database: it needs no other server. */
export function openPostgresBackend(options: {
  databaseUrl: string;
  pooler?: PoolerMode | undefined;
  connectTimeoutMs?: number | undefined;
  namespace: string;
  logger: QueueLogger;
}): QueueBackend {
  const { pooler, connectTimeoutMs = defaultConnectTimeoutMs } = options;
  const schema = `${options.namespace}_queue`;
  const connection: PostgresPoolConfig = {
    connectionString: options.databaseUrl,
    schema,
    migrate: true,
    max: connectionsPerPart,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'quire-queue',
    // BullMQ sets the search path in the start-up message, which a pooler may ignore.
    onConnect: setUpConnection({ pooler, settings: { search_path: schema } }),
  };
  const pinging = new pg.Pool({
    connectionString: options.databaseUrl,
    max: 1,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: pingTimeoutMs,
    application_name: 'quire-queue-ping',
    onConnect: setUpConnection({ pooler }),
  });
  // An idle connection that breaks is replaced at the next ping.
  pinging.on('error', () => undefined);
  const adding = { ...connection, query_timeout: addingTimeoutMs };
  return createBullMqBackend({
    ...options,
    kind: 'postgres',
    openQueue: (name) => new Queue(name, { connection: adding }, createPostgresBackend) as unknown as Queue,
    openWorker: (name, workerOptions, run) =>
      new Worker(name, run, { connection, ...workerOptions }, createPostgresBackend) as unknown as Worker,
    relay: { connection, backend: createPostgresRelayBackend },
    async ping() {
      await pinging.query('SELECT 1');
    },
    close: () => pinging.end(),
  });
}
