import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { accountFor, chownRecursive } from '../postgres/account.js';
import { findPgBouncer } from '../process/programs.js';
import { startTestServer, type ServerKind, type TestServer } from './test-server.js';

/** What a client keeps its server connection for. */
export type PoolMode = 'session' | 'transaction';

/** Start-up parameters of clients that the pooler accepts and drops, as its documentation advises. */
const ignoredParameters = 'options,statement_timeout,idle_in_transaction_session_timeout,extra_float_digits';

function accepts(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Every login has the password of the superuser, as `tests/system/database-logins.mjs` creates them. */
function settingsOf(databaseUrl: string, poolMode: PoolMode) {
  const { hostname, port, username, password } = new URL(databaseUrl);
  return {
    databases: { '*': `host=${hostname} port=${port}` },
    pgbouncer: {
      listen_addr: '127.0.0.1',
      unix_socket_dir: '',
      pool_mode: poolMode,
      default_pool_size: '100',
      max_client_conn: '1000',
      auth_type: 'md5',
      auth_file: 'users.txt',
      auth_user: username,
      auth_query: `SELECT $1::text, '${password}'`,
      ignore_startup_parameters: ignoredParameters,
    },
  };
}

/**
 * Starts a real PgBouncer for tests, in front of all databases of a PostgreSQL.
 * @param dir the folder of its settings
 * @param databaseUrl address of the PostgreSQL, with its superuser
 * @throws UserFacingError when it does not start
 */
export async function startPgBouncer({
  dir,
  databaseUrl,
  poolMode,
}: {
  dir: string;
  databaseUrl: string;
  poolMode: PoolMode;
}): Promise<TestServer & { url: string }> {
  const { databases, pgbouncer } = settingsOf(databaseUrl, poolMode);
  const { username, password } = new URL(databaseUrl);
  const kind: ServerKind = {
    name: 'pgbouncer',
    missing: 'pgbouncer is not installed: apt-get install pgbouncer',
    command({ folder, port }) {
      const lines = (values: Record<string, string>) =>
        Object.entries(values).map(([name, value]) => `${name} = ${value}`);
      const own = { ...pgbouncer, listen_port: String(port) };
      const file = ['[databases]', ...lines(databases), '[pgbouncer]', ...lines(own), ''];
      writeFileSync(join(folder, 'pgbouncer.ini'), file.join('\n'), { mode: 0o600 });
      writeFileSync(join(folder, 'users.txt'), `"${username}" "${password}"\n`, { mode: 0o600 });
      // Like PostgreSQL, it does not run as root.
      const account = accountFor(folder);
      chownRecursive(folder, account);
      return { program: findPgBouncer() ?? 'pgbouncer', args: ['pgbouncer.ini'], account };
    },
    isReady: accepts,
    portTaken: /Address already in use/i,
  };
  const server = await startTestServer(kind, dir);
  return { url: Object.assign(new URL(databaseUrl), { port: server.port }).href, ...server };
}
