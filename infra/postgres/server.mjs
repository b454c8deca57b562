import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../process/free-port.mjs';
import {
  commandOf,
  waitForExit,
  identifyProcess,
  isAlive,
  signal,
  sleep,
} from '../process/process-identity.mjs';
import { UserFacingError, toUserFacingError } from '../process/user-facing-error.mjs';
import { serverEnvironment } from './cluster.mjs';
import { toPostgresError } from './explain.mjs';

const readyTimeoutMs = 300_000;
const stopTimeoutMs = 60_000;
const orphanTimeoutMs = 10_000;
const maxLogBytes = 5_000_000;
const maxPortAttempts = 5;

/** For a small machine; statements that fail are the application's to log, so they are kept out of the server's log. */
const smallMachine = {
  max_connections: '200',
  shared_buffers: '128MB',
  synchronous_commit: 'on',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '512MB',
  max_parallel_workers_per_gather: '0',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/**
 * A running server.
 * @typedef {{ identity: import('../process/process-identity.mjs').Identity, port: number }} Server
 */

const postmasterFile = (cluster) => join(cluster, 'postmaster.pid');

function readPostmaster(cluster) {
  try {
    const lines = readFileSync(postmasterFile(cluster), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), status: (lines[7] ?? '').trim(), lines };
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

const isServerOf = (pid, cluster) => commandOf(pid).includes(` -D ${cluster} `);

/**
 * Finds a server that runs on this folder already (ours of a supervisor that was killed, or another supervisor's).
 * @param {import('./data-directory.mjs').DataDirectory} place
 * @returns {Promise<Server | undefined>}
 */
export async function findServer({ cluster }) {
  const end = Date.now() + readyTimeoutMs;
  for (;;) {
    const postmaster = readPostmaster(cluster);
    const identity = postmaster && identifyProcess(postmaster.pid);
    if (!identity || !isServerOf(identity.pid, cluster)) return undefined;
    if (postmaster.status === 'ready') return { identity, port: postmaster.port };
    if (Date.now() > end) {
      throw new UserFacingError(
        `A PostgreSQL on ${cluster} (process ${identity.pid}) is neither ready nor stopped: end it with kill -9 ${identity.pid} and start again.`,
      );
    }
    await sleep(50);
  }
}

/**
 * Makes a postmaster.pid harmless whose process is gone. PostgreSQL itself takes over a file whose pid is free, and
 * uses it to see whether orphaned backends still write; so the file stays, and only a pid that now belongs to some
 * other program is replaced by ours (its parent's, which PostgreSQL never takes for a rival). An empty file, the
 * remnant of a power cut, would stop it for ever and tells nothing: that one goes.
 */
function repairStalePidFile(cluster) {
  const postmaster = readPostmaster(cluster);
  if (!postmaster) return;
  if (!Number.isInteger(postmaster.pid) || postmaster.pid <= 0) {
    rmSync(postmasterFile(cluster), { force: true });
  } else if (identifyProcess(postmaster.pid)) {
    writeFileSync(postmasterFile(cluster), [process.pid, ...postmaster.lines.slice(1)].join('\n'));
  }
}

function openLog({ logFile }) {
  if (existsSync(logFile) && statSync(logFile).size > maxLogBytes) truncateSync(logFile);
  return openSync(logFile, 'a', 0o600);
}

async function launch(place, port, settings) {
  repairStalePidFile(place.cluster);
  const options = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    ...smallMachine,
    ...settings,
  };
  const args = ['-D', place.cluster, '-p', String(port)];
  for (const [name, value] of Object.entries(options)) args.push('-c', `${name}=${value}`);
  const log = openLog(place);
  const logStart = statSync(place.logFile).size;
  let failure;
  const child = spawn(join(place.binaries.bin, 'postgres'), args, {
    ...place.account,
    cwd: '/',
    env: serverEnvironment,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.once('error', (error) => (failure = error));
  child.once('exit', () => (failure ??= 'exit'));
  child.unref();
  const identity = child.pid && identifyProcess(child.pid);
  const end = Date.now() + readyTimeoutMs;
  for (;;) {
    await sleep(15);
    if (failure === 'exit') return { errorOutput: readFileSync(place.logFile).subarray(logStart).toString() };
    if (failure) throw toUserFacingError(failure, place.binaries.bin);
    const postmaster = readPostmaster(place.cluster);
    if (postmaster?.pid === child.pid && postmaster.status === 'ready') return { server: { identity, port } };
    if (Date.now() > end) {
      signal(child.pid, 'SIGQUIT');
      throw new UserFacingError(
        `The database was not ready after ${readyTimeoutMs / 60_000} minutes: see ${place.logFile}.`,
      );
    }
  }
}

/**
 * Starts the server on a free port. Backends that outlived a killed server are given a moment to notice.
 * @param {import('./data-directory.mjs').DataDirectory} place
 * @param {Record<string, string>} settings
 * @param {{ port?: number }} [preferred]
 * @returns {Promise<Server>}
 */
export async function launchServer(place, settings, { port: preferred } = {}) {
  const end = Date.now() + orphanTimeoutMs;
  let attempts = 0;
  try {
    for (;;) {
      const { server, errorOutput } = await launch(place, await freePort(preferred), settings);
      if (server) return server;
      if (/could not (?:bind|create any TCP\/IP sockets)/.test(errorOutput) && attempts++ < maxPortAttempts)
        continue;
      const isOrphaned = /pre-existing shared memory block|lock file .* already exists/.test(errorOutput);
      if (!isOrphaned || Date.now() > end) throw toPostgresError(errorOutput, place);
      await sleep(250);
    }
  } catch (error) {
    throw toUserFacingError(error, place.cluster);
  }
}

/**
 * Stops a server: fast shutdown, or at once (the next start then replays the log) when immediate or when it hangs.
 * @param {Server} server
 * @param {{ immediate?: boolean }} [options]
 */
export async function stopServer({ identity }, { immediate = false } = {}) {
  if (!isAlive(identity)) return;
  signal(identity.pid, immediate ? 'SIGQUIT' : 'SIGINT');
  if (await waitForExit(identity, immediate ? 5_000 : stopTimeoutMs)) return;
  signal(identity.pid, immediate ? 'SIGKILL' : 'SIGQUIT');
  if (await waitForExit(identity, 5_000)) return;
  signal(identity.pid, 'SIGKILL');
  await waitForExit(identity, 5_000);
}
