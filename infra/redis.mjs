import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { freePort } from './process/free-port.mjs';
import { gone, identify, lives, signal, sleep } from './process/identity.mjs';
import { OperatorError } from './process/operator-error.mjs';

const readyWithinMilliseconds = 30_000;
const stopWithinMilliseconds = 10_000;
const portAttempts = 5;

/** Whether the server answers PING with PONG (while it loads its data it answers LOADING). */
function pings(port) {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (result) => {
      socket.destroy();
      done(result);
    };
    socket.setTimeout(1_000, () => end(false));
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (data) => end(data.toString().startsWith('+PONG')));
    socket.once('error', () => end(false));
  });
}

async function launch(dir, port) {
  const args = [
    '--dir',
    dir,
    '--bind',
    '127.0.0.1',
    '--port',
    String(port),
    '--appendonly',
    'yes',
    '--appendfsync',
    'everysec',
  ];
  args.push('--save', '', '--maxmemory-policy', 'noeviction', '--daemonize', 'no');
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'pipe'] });
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
  while (!failure && !(await pings(port))) {
    if (Date.now() > end) {
      child.kill('SIGKILL');
      throw new OperatorError(
        `redis-server did not answer within ${readyWithinMilliseconds / 1_000} s on port ${port}.`,
      );
    }
    await sleep(20);
  }
  if (!failure) return identify(child.pid);
  if (failure.code === 'ENOENT')
    throw new OperatorError('redis-server is not installed: apt-get install redis-server');
  if (/Address already in use|bind/i.test(output)) return undefined;
  throw new OperatorError(`redis-server did not start: ${output.trim().split('\n').at(-1)}`);
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
 * Starts a real Redis of its own for tests, with the settings BullMQ needs.
 * @param {{ dir: string }} options where its append-only file lies; data survives `restart` and `kill`
 * @returns {Promise<{ url: string, stop: () => Promise<void>, kill: () => Promise<void>, restart: () => Promise<void> }>}
 *   stop: SIGTERM; kill: SIGKILL, as a crash; restart: stops it if it runs and starts it on the same port
 */
export async function startRedis({ dir }) {
  const folder = resolve(dir);
  const file = join(folder, 'redis.json');
  mkdirSync(folder, { recursive: true });
  await clearLeftover(file);

  let port;
  let identity;
  const start = async () => {
    for (let attempt = 0; !identity && attempt < portAttempts; attempt += 1) {
      port = await freePort(port);
      identity = await launch(folder, port);
    }
    if (!identity) throw new OperatorError('No free port was found for redis-server.');
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
    url: `redis://127.0.0.1:${port}`,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    restart: async () => {
      const before = port;
      await end('SIGTERM');
      await start();
      if (port !== before) throw new OperatorError(`Port ${before} was taken while redis-server was down.`);
    },
  };
}
