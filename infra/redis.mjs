import { connect } from 'node:net';
import { startTestServer } from './process/test-server.mjs';

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

/** With the settings BullMQ needs. */
function command({ folder, port }) {
  const settings = {
    dir: folder,
    bind: '127.0.0.1',
    port: String(port),
    appendonly: 'yes',
    appendfsync: 'everysec',
    save: '',
    'maxmemory-policy': 'noeviction',
    daemonize: 'no',
  };
  return {
    program: 'redis-server',
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
  };
}

/**
 * Starts a real Redis of its own for tests.
 * @param {{ dir: string }} options where its append-only file lies; data survives `restart` and `kill`
 * @returns {Promise<{ url: string, stop: () => Promise<void>, kill: () => Promise<void>, restart: () => Promise<void>
 *   }>} see `startTestServer`
 */
export async function startRedis({ dir }) {
  const kind = {
    name: 'redis-server',
    missing: 'redis-server is not installed: apt-get install redis-server',
    command,
    isReady: pings,
    portTaken: /Address already in use|bind/i,
  };
  const { port, ...server } = await startTestServer(kind, dir);
  return { url: `redis://127.0.0.1:${port}`, ...server };
}
