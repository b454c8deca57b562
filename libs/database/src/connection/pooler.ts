import { ConfigurationError } from '@quire/config';
import pg from 'pg';

/** What is between the process and PostgreSQL: nothing, or a connection pooler in session mode. */
export type PoolerMode = 'none' | 'session';

/** Run-time parameters of a session, such as `{ timezone: 'UTC' }`. */
export type SessionSettings = Readonly<Record<string, string | number>>;

const timeoutMs = 3_000;
/** Other users of the pooler may take the connection that one round waits for. */
const proofRounds = 20;

/**
 * A pooler that may give consecutive transactions of one connection to different sessions. The schema and the role of a
 * site belong to the session, so statements of one site would reach another one.
 */
export class UnsupportedPoolerError extends ConfigurationError {
  override name = 'UnsupportedPoolerError';
}

/**
 * Sets up each new connection of a pool, in one round trip: the option `onConnect` of `pg.Pool`. PostgreSQL sends a
 * client the process id of its session at the start; a pooler sends a number of its own.
 * @param options.settings are set by a statement, because poolers reject or ignore them in the start-up message
 * @returns a function that rejects with an UnsupportedPoolerError when there is a pooler but `pooler` is `none`
 */
export function setUpConnection({
  pooler = 'none',
  settings = {},
}: {
  pooler?: PoolerMode | undefined;
  settings?: SessionSettings;
}): (client: pg.ClientBase) => Promise<void> {
  const encoded = JSON.stringify(settings);
  return async (client) => {
    const { host, port, processID } = client as pg.ClientBase & ConnectedClient;
    const expectedPid = pooler === 'none' ? processID : null;
    const { rows } = await client.query<{ pid: number }>({
      // A session of a pooler that is refused keeps its settings, because other programs use it.
      text: `SELECT pg_backend_pid() AS pid, (SELECT count(set_config(name, setting, false))
        FROM json_each_text($1) AS settings (name, setting)
        WHERE $2::integer IS NULL OR $2 = pg_backend_pid()) AS settings`,
      values: [encoded, expectedPid],
      query_timeout: timeoutMs,
    } as pg.QueryConfig);
    if (pooler !== 'none' || rows[0]?.pid === processID) return;
    throw new UnsupportedPoolerError(
      `The database at ${host}:${port} is behind a connection pooler: connect to PostgreSQL itself, or switch the pooler to session mode (in PgBouncer: pool_mode = session) and set CMS_DATABASE_POOLER=session`,
    );
  };
}

/** What pg's clients have in addition to their declared type. */
interface ConnectedClient {
  host: string;
  port: number;
  /** From the BackendKeyData message. */
  processID: number | null;
}

/**
 * Checks that a pooler keeps one session for each connection: while one connection is idle, another one in a
 * transaction gets another session, and the first one returns to its own. In transaction mode the second one takes the
 * session of the first one, which has become idle, or the first one gets the next session of a rotation.
 * @throws UnsupportedPoolerError otherwise
 */
export async function assertSessionPooling(url: string): Promise<void> {
  const options = { connectionString: url, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs };
  const clients = [new pg.Client(options), new pg.Client(options)] as const;
  for (const client of clients) client.on('error', () => undefined);
  try {
    for (const client of clients) await client.connect();
    const [first, second] = clients;
    const own = await sessionOf(first);
    for (let round = 0; round < proofRounds; round += 1) {
      await second.query('BEGIN');
      const isApart = (await sessionOf(second)) !== own && (await sessionOf(first)) === own;
      await second.query('COMMIT');
      if (isApart && (await sessionOf(first)) === own) continue;
      throw new UnsupportedPoolerError(
        `CMS_DATABASE_POOLER is session, but the connection pooler at ${first.host}:${first.port} is not in session mode (in PgBouncer: pool_mode = session)`,
      );
    }
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

async function sessionOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid;
}
