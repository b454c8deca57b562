import { connect } from 'node:net';
import { startTestServer, type ServerKind, type TestServer } from './test-server.js';

/** Whether the server answers PING with PONG (LOADING while it loads its data). */
function pings(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (result: boolean) => {
      socket.destroy();
      done(result);
    };
    socket.setTimeout(1_000, () => end(false));
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (data) => end(data.toString().startsWith('+PONG')));
    socket.once('error', () => end(false));
  });
}

/** With the settings that BullMQ needs. */
function command({ folder, port }: { folder: string; port: number }) {
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
 * Starts a real Redis for tests.
 * @param dir the folder of its append-only file; data survives `restart` and `kill`
 * @throws UserFacingError when it does not start
 */
export async function startRedis({ dir }: { dir: string }): Promise<TestServer & { url: string }> {
  const kind: ServerKind = {
    name: 'redis-server',
    missing: 'redis-server is not installed: apt-get install redis-server',
    command,
    isReady: pings,
    portTaken: /Address already in use|bind/i,
  };
  const server = await startTestServer(kind, dir);
  return { url: `redis://127.0.0.1:${server.port}`, ...server };
}
