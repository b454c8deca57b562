import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isAlive } from '../../prepare/process-identity.mjs';
import { withLock } from '../../prepare/lock.mjs';
import { toUserFacingError, toOneLine } from '../../prepare/user-facing-error.mjs';
import { databaseName, ensureCluster, passwordOf, superuser } from './cluster.js';
import { resolveDataDirectory, createFolder } from './data-directory.js';
import { findServer, launchServer, stopServer, type Server } from './server.js';
import { acquireServer } from './server-refcount.js';

const watchIntervalMs = 1_000;

/** The port of the last start: a noted address stays valid. */
const lastPort = {
  read: (state: string): number | undefined => {
    try {
      return JSON.parse(readFileSync(join(state, 'server.json'), 'utf8')).port;
    } catch {
      return undefined;
    }
  },
  write: (state: string, port: number) =>
    writeFileSync(join(state, 'server.json'), `${JSON.stringify({ port })}\n`),
};

interface WatchOptions {
  server: Server;
  isStopped: () => boolean;
  restart: (old: Server) => Promise<Server>;
  log: (line: string) => void;
}

/** Restarts the server on the same port after a crash, for example after the kernel killed it for lack of memory. */
function watch({ isStopped, server, restart, log }: WatchOptions) {
  let current = server;
  let isBusy = false;
  const timer = setInterval(async () => {
    if (isBusy || isStopped() || isAlive(current.identity)) return;
    isBusy = true;
    try {
      log('The database ended; starting it again.');
      current = await restart(current);
    } catch (error) {
      log(toOneLine(error));
    }
    isBusy = false;
  }, watchIntervalMs);
  timer.unref();
  return { current: () => current, end: () => clearInterval(timer) };
}

export interface EmbeddedPostgresOptions {
  /** CMS_DATA_DIR; its folder `postgres` holds the database. */
  dataDir: string;
  /** Further PostgreSQL settings, for example `{ fsync: 'off' }` in tests. */
  settings?: Readonly<Record<string, string>>;
  /** Gets a short line for each step that takes time. */
  log?: (line: string) => void;
}

export interface EmbeddedPostgres {
  /** The superuser's address. */
  url: string;
  /** Whether the server ran already. */
  adopted: boolean;
  stop(options?: { immediate?: boolean }): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL of a data dir, or adopts the one that runs there. Programs that use it at the same
 * time share one server. The last call of `stop` stops it; programs that exited without the call do not count.
 * @throws UserFacingError one line that says what to do
 */
export async function startEmbeddedPostgres({
  dataDir,
  settings = {},
  log = () => {},
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  createFolder(resolve(dataDir));
  const state = join(realpathSync(dataDir), 'postgres');
  createFolder(state);
  const locked = <T>(work: () => Promise<T>): Promise<T> => withLock(join(state, 'lock'), work);

  const open = async (port = lastPort.read(state)) => {
    const place = resolveDataDirectory(state, log);
    const running = await findServer(place);
    if (running) return { place, server: running, adopted: true };
    await ensureCluster(place, log);
    return { place, server: await launchServer(place, settings, { port }), adopted: false };
  };

  let isStopped = false;
  const started = await locked(async () => {
    try {
      const { place, server, adopted } = await open();
      lastPort.write(state, server.port);
      return { server, adopted, password: passwordOf(place), users: acquireServer(state) };
    } catch (error) {
      throw toUserFacingError(error, state);
    }
  });
  const watched = watch({
    server: started.server,
    isStopped: () => isStopped,
    restart: (old) => locked(async () => (isStopped ? old : (await open(old.port)).server)),
    log,
  });

  return {
    url: `postgresql://${superuser}:${started.password}@127.0.0.1:${started.server.port}/${databaseName}`,
    adopted: started.adopted,
    async stop({ immediate = false } = {}) {
      if (isStopped) return;
      isStopped = true;
      watched.end();
      await locked(async () => {
        if (started.users.release()) await stopServer(watched.current(), { immediate });
      });
    },
  };
}
