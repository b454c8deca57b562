import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from './free-port.mjs';
import { waitForExit, identifyProcess, isAlive, signal, sleep } from './process-identity.mjs';
import { UserFacingError } from './user-facing-error.mjs';

const readyTimeoutMs = 30_000;
const stopTimeoutMs = 10_000;
const maxPortAttempts = 5;

/**
 * @typedef {object} Kind
 * @property {string} name as it is called in messages
 * @property {string} missing what to tell when the program is not there
 * @property {(place: { folder: string, port: number }) => { program: string, args: string[], env?: NodeJS.ProcessEnv }}
 *   command
 * @property {(port: number) => Promise<boolean>} isReady whether the server is ready
 * @property {RegExp} portTaken what it says when its port is taken
 */

/** Starts the program once. @returns its identity; undefined when the port was taken meanwhile */
async function launch({ name, missing, command, isReady, portTaken }, folder, port) {
  const { program, args, env = process.env } = command({ folder, port });
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env });
  let output = '';
  let failure;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => (output = (output + data).slice(-4_000)));
    stream.unref();
  }
  child.once('error', (error) => (failure = error));
  child.once('exit', () => (failure ??= new Error('exit')));
  child.unref();
  const end = Date.now() + readyTimeoutMs;
  while (!failure && !(await isReady(port))) {
    if (Date.now() > end) {
      child.kill('SIGKILL');
      throw new UserFacingError(`${name} did not answer within ${readyTimeoutMs / 1_000} s on port ${port}.`);
    }
    await sleep(20);
  }
  if (!failure) return identifyProcess(child.pid);
  if (failure.code === 'ENOENT') throw new UserFacingError(missing);
  if (portTaken.test(output)) return undefined;
  throw new UserFacingError(`${name} did not start: ${output.trim().split('\n').at(-1) || failure.message}`);
}

/** Ends a server that a killed test run left on this folder. */
async function killStaleServer(file) {
  let identity;
  try {
    identity = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return;
  }
  if (isAlive(identity)) signal(identity.pid, 'SIGKILL');
  await waitForExit(identity, stopTimeoutMs);
}

/**
 * Starts a real server of its own for tests, on a free port of loopback.
 * @param {Kind} kind
 * @param {string} dir where its data lies; it survives `restart` and `kill`
 * @returns {Promise<{ port: number, stop: () => Promise<void>, kill: () => Promise<void>, restart: () => Promise<void>
 *   }>} stop: SIGTERM; kill: SIGKILL, as a crash; restart: stops it if it runs and starts it on the same port
 * @throws UserFacingError when it does not start
 */
export async function startTestServer(kind, dir) {
  const folder = resolve(dir);
  const file = join(folder, 'server.json');
  mkdirSync(folder, { recursive: true });
  await killStaleServer(file);

  let port;
  let identity;
  const start = async () => {
    for (let attempt = 0; !identity && attempt < maxPortAttempts; attempt += 1) {
      port = await freePort(port);
      identity = await launch(kind, folder, port);
    }
    if (!identity) throw new UserFacingError(`No free port was found for ${kind.name}.`);
    writeFileSync(file, JSON.stringify(identity));
  };
  const end = async (name) => {
    if (identity) {
      signal(identity.pid, name);
      if (!(await waitForExit(identity, stopTimeoutMs))) signal(identity.pid, 'SIGKILL');
      await waitForExit(identity, stopTimeoutMs);
    }
    identity = undefined;
    rmSync(file, { force: true });
  };
  await start();
  process.once('exit', () => identity && signal(identity.pid, 'SIGTERM'));
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
