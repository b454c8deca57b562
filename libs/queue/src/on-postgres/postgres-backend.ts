import {
  createPostgresBackend,
  createPostgresRelayBackend,
  Queue,
  Worker,
  type PostgresPoolConfig,
} from 'bullmq';
import { bullBackend } from '../port/bullmq-backend.js';
import type { QueueBackend, QueueLogger } from '../port/queue-backend.js';

/** Each queue and worker has a small pool of its own. */
const connectionsPerPart = 3;
const connectTimeoutMs = 1_500;

/** BullMQ in a schema of its own of a PostgreSQL database, `<namespace>_queue`: nothing to install beside the database. */
export function postgresBackend(options: {
  databaseUrl: string;
  namespace: string;
  logger: QueueLogger;
}): QueueBackend {
  const connection: PostgresPoolConfig = {
    connectionString: options.databaseUrl,
    schema: `${options.namespace}_queue`,
    migrate: true,
    max: connectionsPerPart,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'quire-queue',
  };
  return bullBackend({
    ...options,
    kind: 'postgres',
    openQueue: (name) => new Queue(name, { connection }, createPostgresBackend) as unknown as Queue,
    openWorker: (name, workerOptions, run) =>
      new Worker(name, run, { connection, ...workerOptions }, createPostgresBackend) as unknown as Worker,
    relay: { connection, backend: createPostgresRelayBackend },
    // The database is a dependency of the process already, with a check of its own.
    ping: () => Promise.resolve(),
    close: () => Promise.resolve(),
  });
}
