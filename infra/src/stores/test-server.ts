import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Socket } from 'node:net';
import type { Account } from '../postgres/account.js';
import { freePort } from '../process/free-port.js';
import {
  errorCodeOf,
  identifyProcess,
  isAlive,
  signal,
  sleep,
  type Identity,
  waitForExit,
} from '../../prepare/process-identity.mjs';
import { UserFacingError } from '../../prepare/user-facing-error.mjs';

const readyTimeoutMs = 30_000;
const stopTimeoutMs = 10_000;
const maxPortAttempts = 5;

/** A server program. */
export interface ServerKind {
  /** For messages. */
  name: string;
  /** The message when the program is not installed. */
  missing: string;
  command: (place: { folder: string; port: number }) => {
    program: string;
    args: string[];
    env?: NodeJS.ProcessEnv;
    /** Default: that of this process. */
    account?: Account;
  };
  isReady: (port: number) => Promise<boolean>;
  /** Matches the output when the port is taken. */
  portTaken: RegExp;
}

export interface TestServer {
  port: number;
  /** SIGTERM. */
  stop(): Promise<void>;
  /** SIGKILL, as a crash. */
  kill(): Promise<void>;
  /** Stops the server when it runs, and starts it on the same port. */
  restart(): Promise<void>;
}

/** Starts the program once. @returns its identity; undefined when another process took the port */
async function launch(
  { name, missing, command, isReady, portTaken }: ServerKind,
  folder: string,
  port: number,
): Promise<Identity | undefined> {
  const { program, args, env = process.env, account } = command({ folder, port });
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env, ...account });
  let output = '';
  let failure: Error | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => (output = (output + data).slice(-4_000)));
    // a pipe of a child process is a socket
    (stream as Socket).unref();
  }
  child.once('error', (error) => (failure = error));
  child.once('exit', () => (failure ??= new Error('exit')));
  child.unref();
  const end = Date.now() + readyTimeoutMs;
  const failureOf = () => failure;
  while (!failureOf() && !(await isReady(port))) {
    if (Date.now() > end) {
      child.kill('SIGKILL');
      throw new UserFacingError(`${name} did not answer within ${readyTimeoutMs / 1_000} s on port ${port}.`);
    }
    await sleep(20);
  }
  const reason = failureOf();
  if (!reason) return child.pid === undefined ? undefined : identifyProcess(child.pid);
  if (errorCodeOf(reason) === 'ENOENT') throw new UserFacingError(missing);
  if (portTaken.test(output)) return undefined;
  throw new UserFacingError(`${name} did not start: ${output.trim().split('\n').at(-1) || reason.message}`);
}

/** Ends a server of a killed test run in this folder. */
async function killStaleServer(file: string): Promise<void> {
  let identity: Identity;
  try {
    identity = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return;
  }
  if (isAlive(identity)) signal(identity.pid, 'SIGKILL');
  await waitForExit(identity, stopTimeoutMs);
}

/**
 * Starts a real server for tests, on a free port of loopback.
 * @param dir the folder of its data, which survives `restart` and `kill`
 * @throws UserFacingError when it does not start
 */
export async function startTestServer(kind: ServerKind, dir: string): Promise<TestServer> {
  const folder = resolve(dir);
  const file = join(folder, 'server.json');
  mkdirSync(folder, { recursive: true });
  await killStaleServer(file);

  let port: number | undefined;
  let identity: Identity | undefined;
  const start = async () => {
    for (let attempt = 0; !identity && attempt < maxPortAttempts; attempt += 1) {
      port = await freePort(port);
      identity = await launch(kind, folder, port);
    }
    if (!identity) throw new UserFacingError(`No free port was found for ${kind.name}.`);
    writeFileSync(file, JSON.stringify(identity));
  };
  const end = async (name: NodeJS.Signals) => {
    if (identity) {
      signal(identity.pid, name);
      if (!(await waitForExit(identity, stopTimeoutMs))) signal(identity.pid, 'SIGKILL');
      await waitForExit(identity, stopTimeoutMs);
    }
    identity = undefined;
    rmSync(file, { force: true });
  };
  await start();
  process.once('exit', () => {
    if (identity) signal(identity.pid, 'SIGTERM');
  });
  if (port === undefined) throw new UserFacingError(`No free port was found for ${kind.name}.`);
  return {
    port,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    restart: async () => {
      const before = port;
      await end('SIGTERM');
      await start();
      if (port !== before) throw new UserFacingError(`Port ${before} was taken while ${kind.name} was down.`);
    },
  };
}
