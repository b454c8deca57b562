import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from './free-port.mjs';
import { gone, identify, lives, signal, sleep } from './identity.mjs';
import { OperatorError } from './operator-error.mjs';

const readyWithinMilliseconds = 30_000;
const stopWithinMilliseconds = 10_000;
const portAttempts = 5;

/**
 * @typedef {object} Kind
 * @property {string} name as it is called in messages
 * @property {string} missing what to tell when the program is not there
 * @property {(place: { folder: string, port: number }) => { program: string, args: string[], env?: NodeJS.ProcessEnv }} command
 * @property {(port: number) => Promise<boolean>} answers whether the server is ready
 * @property {RegExp} portTaken what it says when its port is taken
 */

/** Starts the program once. @returns its identity; undefined when the port was taken meanwhile */
async function launch({ name, missing, command, answers, portTaken }, folder, port) {
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
  const end = Date.now() + readyWithinMilliseconds;
  while (!failure && !(await answers(port))) {
    if (Date.now() > end) {
      child.kill('SIGKILL');
      throw new OperatorError(
        `${name} did not answer within ${readyWithinMilliseconds / 1_000} s on port ${port}.`,
      );
    }
    await sleep(20);
  }
  if (!failure) return identify(child.pid);
  if (failure.code === 'ENOENT') throw new OperatorError(missing);
  if (portTaken.test(output)) return undefined;
  throw new OperatorError(`${name} did not start: ${output.trim().split('\n').at(-1) || failure.message}`);
}

/** Ends a server that a killed test run left on this folder. */
async function clearLeftover(file) {
  let identity;
  try {
    identity = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return;
  }
  if (lives(identity)) signal(identity.pid, 'SIGKILL');
  await gone(identity, stopWithinMilliseconds);
}

/**
 * Starts a real server of its own for tests, on a free port of loopback.
 * @param {Kind} kind
 * @param {string} dir where its data lies; it survives `restart` and `kill`
 * @returns {Promise<{ port: number, stop: () => Promise<void>, kill: () => Promise<void>, restart: () => Promise<void> }>}
 *   stop: SIGTERM; kill: SIGKILL, as a crash; restart: stops it if it runs and starts it on the same port
 * @throws OperatorError when it does not start
 */
export async function startTestServer(kind, dir) {
  const folder = resolve(dir);
  const file = join(folder, 'server.json');
  mkdirSync(folder, { recursive: true });
  await clearLeftover(file);

  let port;
  let identity;
  const start = async () => {
    for (let attempt = 0; !identity && attempt < portAttempts; attempt += 1) {
      port = await freePort(port);
      identity = await launch(kind, folder, port);
    }
    if (!identity) throw new OperatorError(`No free port was found for ${kind.name}.`);
    writeFileSync(file, JSON.stringify(identity));
  };
  const end = async (name) => {
    if (identity) {
      signal(identity.pid, name);
      if (!(await gone(identity, stopWithinMilliseconds))) signal(identity.pid, 'SIGKILL');
      await gone(identity, stopWithinMilliseconds);
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
      if (port !== before) throw new OperatorError(`Port ${before} was taken while ${kind.name} was down.`);
    },
  };
}
