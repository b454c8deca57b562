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
import { freePort } from '../process/free-port.js';
import {
  type Identity,
  commandOf,
  errorCodeOf,
  identifyProcess,
  isAlive,
  signal,
  sleep,
  waitForExit,
} from '../../prepare/process-identity.mjs';
import { UserFacingError, toUserFacingError } from '../../prepare/user-facing-error.mjs';
import { serverEnvironment } from './cluster.js';
import type { DataDirectory } from './data-directory.js';
import { toPostgresError } from './explain.js';

const readyTimeoutMs = 300_000;
const stopTimeoutMs = 60_000;
const orphanTimeoutMs = 10_000;
const maxLogBytes = 5_000_000;
const maxPortAttempts = 5;

/** For a small machine. The application logs failed statements, so the server's log leaves them out. */
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

/** A running server. */
export interface Server {
  identity: Identity | undefined;
  port: number;
}

const postmasterFile = (cluster: string) => join(cluster, 'postmaster.pid');

function readPostmaster(cluster: string) {
  try {
    const lines = readFileSync(postmasterFile(cluster), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]), status: (lines[7] ?? '').trim(), lines };
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

const isServerOf = (pid: number, cluster: string) => commandOf(pid).includes(` -D ${cluster} `);

/**
 * Finds the server that runs on this folder: of a supervisor that was killed, or of another one that runs.
 * @throws UserFacingError when it neither becomes ready nor stops
 */
export async function findServer({ cluster }: DataDirectory): Promise<Server | undefined> {
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
 * Makes a postmaster.pid of an exited process harmless. PostgreSQL takes over a file with a free pid, and uses it to
 * detect orphaned backends that still write, so the file stays. A pid that now belongs to another program is replaced
 * by the pid of this process, the parent, which PostgreSQL never takes for a rival. An empty file, left by a power cut,
 * would block every start: it is deleted.
 */
function repairStalePidFile(cluster: string): void {
  const postmaster = readPostmaster(cluster);
  if (!postmaster) return;
  if (!Number.isInteger(postmaster.pid) || postmaster.pid <= 0) {
    rmSync(postmasterFile(cluster), { force: true });
  } else if (identifyProcess(postmaster.pid)) {
    writeFileSync(postmasterFile(cluster), [process.pid, ...postmaster.lines.slice(1)].join('\n'));
  }
}

function openLog({ logFile }: DataDirectory): number {
  if (existsSync(logFile) && statSync(logFile).size > maxLogBytes) truncateSync(logFile);
  return openSync(logFile, 'a', 0o600);
}

type Settings = Readonly<Record<string, string>>;

async function launch(
  place: DataDirectory,
  port: number,
  settings: Settings,
): Promise<{ server: Server } | { server?: undefined; errorOutput: string }> {
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
  let failure: Error | 'exit' | undefined;
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
  const identity = child.pid === undefined ? undefined : identifyProcess(child.pid);
  const end = Date.now() + readyTimeoutMs;
  for (;;) {
    await sleep(15);
    if (failure === 'exit') return { errorOutput: readFileSync(place.logFile).subarray(logStart).toString() };
    if (failure) throw toUserFacingError(failure, place.binaries.bin);
    const postmaster = readPostmaster(place.cluster);
    if (postmaster && postmaster.pid === child.pid && postmaster.status === 'ready')
      return { server: { identity, port } };
    if (Date.now() > end) {
      if (child.pid !== undefined) signal(child.pid, 'SIGQUIT');
      throw new UserFacingError(
        `The database was not ready after ${readyTimeoutMs / 60_000} minutes: see ${place.logFile}.`,
      );
    }
  }
}

/**
 * Starts the server on a free port, and waits a moment for the exit of backends of a killed server.
 * @throws UserFacingError one line that says what to do
 */
export async function launchServer(
  place: DataDirectory,
  settings: Settings,
  { port: preferred }: { port?: number | undefined } = {},
): Promise<Server> {
  const end = Date.now() + orphanTimeoutMs;
  let attempts = 0;
  try {
    for (;;) {
      const launched = await launch(place, await freePort(preferred), settings);
      if (launched.server) return launched.server;
      const { errorOutput } = launched;
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
 * Stops a server: a fast shutdown, or an immediate one (the next start then replays the log) when asked to or when it
 * hangs.
 */
export async function stopServer({ identity }: Server, { immediate = false } = {}): Promise<void> {
  if (!identity || !isAlive(identity)) return;
  signal(identity.pid, immediate ? 'SIGQUIT' : 'SIGINT');
  if (await waitForExit(identity, immediate ? 5_000 : stopTimeoutMs)) return;
  signal(identity.pid, immediate ? 'SIGKILL' : 'SIGQUIT');
  if (await waitForExit(identity, 5_000)) return;
  signal(identity.pid, 'SIGKILL');
  await waitForExit(identity, 5_000);
}
