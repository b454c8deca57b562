import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lives } from './process/identity.mjs';
import { withLock } from './process/lock.mjs';
import { explainFileError, lineOf } from './process/operator-error.mjs';
import { databaseName, ensureCluster, passwordOf, superuser } from './postgres/cluster.mjs';
import { choosePlace, makeFolder } from './postgres/place.mjs';
import { findServer, launchServer, stopServer } from './postgres/server.mjs';
import { joinUsers } from './postgres/users.mjs';

const watchEveryMilliseconds = 1_000;

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
    if (isBusy || isStopped() || lives(current.identity)) return;
    isBusy = true;
    try {
      log('The database ended; starting it again.');
      current = await restart(current);
    } catch (error) {
      log(lineOf(error));
    }
    isBusy = false;
  }, watchEveryMilliseconds);
  timer.unref();
  return { current: () => current, end: () => clearInterval(timer) };
}

/**
 * Starts the embedded PostgreSQL of a data dir, or adopts the one that runs there. Programs that use it at the same time
 * share one server; the last one to call `stop` ends it, and programs that died without calling it do not count.
 * @param {object} options
 * @param {string} options.dataDir CMS_DATA_DIR; the database lies in its folder `postgres`
 * @param {Record<string, string>} [options.settings] further PostgreSQL settings, for example `{ fsync: 'off' }` in tests
 * @param {(line: string) => void} [options.log] gets short lines about what takes time
 * @returns {Promise<{ url: string, adopted: boolean, stop: (options?: { hurry?: boolean }) => Promise<void> }>}
 * @throws {import('./process/operator-error.mjs').OperatorError} one line that says what to do
 */
export async function startEmbeddedPostgres({ dataDir, settings = {}, log = () => {} }) {
  makeFolder(resolve(dataDir));
  const state = join(realpathSync(dataDir), 'postgres');
  makeFolder(state);
  const locked = (work) => withLock(join(state, 'lock'), work);

  const open = async (port = lastPort.read(state)) => {
    const place = choosePlace(state, log);
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
      return { server, adopted, password: passwordOf(place), users: joinUsers(state) };
    } catch (error) {
      throw explainFileError(error, state);
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
    async stop({ hurry = false } = {}) {
      if (isStopped) return;
      isStopped = true;
      watched.end();
      await locked(async () => {
        if (started.users.leave()) await stopServer(watched.current(), { hurry });
      });
    },
  };
}
