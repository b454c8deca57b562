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
import { commandOf, gone, identify, lives, signal, sleep } from '../process/identity.mjs';
import { OperatorError, explainFileError } from '../process/operator-error.mjs';
import { serverEnvironment } from './cluster.mjs';
import { explainPostgres } from './explain.mjs';

const readyWithinMilliseconds = 300_000;
const stopWithinMilliseconds = 60_000;
const orphansWithinMilliseconds = 10_000;
const logLimitBytes = 5_000_000;
const portAttempts = 5;

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
 * @typedef {{ identity: import('../process/identity.mjs').Identity, port: number }} Server
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
 * @param {import('./place.mjs').Place} place
 * @returns {Promise<Server | undefined>}
 */
export async function findServer({ cluster }) {
  const end = Date.now() + readyWithinMilliseconds;
  for (;;) {
    const postmaster = readPostmaster(cluster);
    const identity = postmaster && identify(postmaster.pid);
    if (!identity || !isServerOf(identity.pid, cluster)) return undefined;
    if (postmaster.status === 'ready') return { identity, port: postmaster.port };
    if (Date.now() > end) {
      throw new OperatorError(
        `A PostgreSQL on ${cluster} (process ${identity.pid}) neither starts nor stops: end it with kill -9 ${identity.pid} and start again.`,
      );
    }
    await sleep(50);
  }
}

/**
 * Makes a postmaster.pid harmless whose process is gone. PostgreSQL itself takes over a file whose pid is free, and uses
 * it to see whether orphaned backends still write; so the file stays, and only a pid that now belongs to some other
 * program is replaced by ours (its parent's, which PostgreSQL never takes for a rival). An empty file, the remnant of a
 * power cut, would stop it for ever and tells nothing: that one goes.
 */
function settleStaleFile(cluster) {
  const postmaster = readPostmaster(cluster);
  if (!postmaster) return;
  if (!Number.isInteger(postmaster.pid) || postmaster.pid <= 0) {
    rmSync(postmasterFile(cluster), { force: true });
  } else if (identify(postmaster.pid)) {
    writeFileSync(postmasterFile(cluster), [process.pid, ...postmaster.lines.slice(1)].join('\n'));
  }
}

function openLog({ logFile }) {
  if (existsSync(logFile) && statSync(logFile).size > logLimitBytes) truncateSync(logFile);
  return openSync(logFile, 'a', 0o600);
}

async function launch(place, port, settings) {
  settleStaleFile(place.cluster);
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
  const identity = child.pid && identify(child.pid);
  const end = Date.now() + readyWithinMilliseconds;
  for (;;) {
    await sleep(15);
    if (failure === 'exit') return { complaint: readFileSync(place.logFile).subarray(logStart).toString() };
    if (failure) throw explainFileError(failure, place.binaries.bin);
    const postmaster = readPostmaster(place.cluster);
    if (postmaster?.pid === child.pid && postmaster.status === 'ready') return { server: { identity, port } };
    if (Date.now() > end) {
      signal(child.pid, 'SIGQUIT');
      throw new OperatorError(
        `The database was not ready after ${readyWithinMilliseconds / 60_000} minutes: see ${place.logFile}.`,
      );
    }
  }
}

/**
 * Starts the server on a free port. Backends that outlived a killed server are given a moment to notice.
 * @param {import('./place.mjs').Place} place
 * @param {Record<string, string>} settings
 * @param {{ port?: number }} [preferred]
 * @returns {Promise<Server>}
 */
export async function launchServer(place, settings, { port: preferred } = {}) {
  const end = Date.now() + orphansWithinMilliseconds;
  let attempts = 0;
  try {
    for (;;) {
      const { server, complaint } = await launch(place, await freePort(preferred), settings);
      if (server) return server;
      if (/could not (?:bind|create any TCP\/IP sockets)/.test(complaint) && attempts++ < portAttempts)
        continue;
      const isOrphaned = /pre-existing shared memory block|lock file .* already exists/.test(complaint);
      if (!isOrphaned || Date.now() > end) throw explainPostgres(complaint, place);
      await sleep(250);
    }
  } catch (error) {
    throw explainFileError(error, place.cluster);
  }
}

/**
 * Stops a server: fast shutdown, or at once (the next start then replays the log) when in a hurry or when it hangs.
 * @param {Server} server
 * @param {{ hurry?: boolean }} [options]
 */
export async function stopServer({ identity }, { hurry = false } = {}) {
  if (!lives(identity)) return;
  signal(identity.pid, hurry ? 'SIGQUIT' : 'SIGINT');
  if (await gone(identity, hurry ? 5_000 : stopWithinMilliseconds)) return;
  signal(identity.pid, hurry ? 'SIGKILL' : 'SIGQUIT');
  if (await gone(identity, 5_000)) return;
  signal(identity.pid, 'SIGKILL');
  await gone(identity, 5_000);
}
