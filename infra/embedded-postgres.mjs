import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isAlive } from './process/process-identity.mjs';
import { withLock } from './process/lock.mjs';
import { toUserFacingError, toOneLine } from './process/user-facing-error.mjs';
import { databaseName, ensureCluster, passwordOf, superuser } from './postgres/cluster.mjs';
import { resolveDataDirectory, createFolder } from './postgres/data-directory.mjs';
import { findServer, launchServer, stopServer } from './postgres/server.mjs';
import { acquireServer } from './postgres/server-refcount.mjs';

const watchIntervalMs = 1_000;

/** The port of the last start, so that an address someone noted down stays valid. */
const lastPort = {
  read: (state) => {
    try {
      return JSON.parse(readFileSync(join(state, 'server.json'), 'utf8')).port;
    } catch {
      return undefined;
    }
  },
  write: (state, port) => writeFileSync(join(state, 'server.json'), `${JSON.stringify({ port })}\n`),
};

/** Starts the server again when it dies under us (killed for lack of memory, say), on the same port. */
function watch({ isStopped, server, restart, log }) {
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

/**
 * Starts the embedded PostgreSQL of a data dir, or adopts the one that runs there. Programs that use it at the same
 * time share one server; the last one to call `stop` ends it, and programs that died without calling it do not count.
 * @param {object} options
 * @param {string} options.dataDir CMS_DATA_DIR; the database lies in its folder `postgres`
 * @param {Record<string, string>} [options.settings] further PostgreSQL settings, for example `{ fsync: 'off' }` in
 *   tests
 * @param {(line: string) => void} [options.log] gets short lines about what takes time
 * @returns {Promise<{ url: string, adopted: boolean, stop: (options?: { immediate?: boolean }) => Promise<void> }>}
 * @throws {import('./process/user-facing-error.mjs').UserFacingError} one line that says what to do
 */
export async function startEmbeddedPostgres({ dataDir, settings = {}, log = () => {} }) {
  createFolder(resolve(dataDir));
  const state = join(realpathSync(dataDir), 'postgres');
  createFolder(state);
  const locked = (work) => withLock(join(state, 'lock'), work);

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
