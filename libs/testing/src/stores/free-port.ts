import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections (Linux from 32768), and above those of the servers that
 * `infra` starts.
 */
const [minPort, maxPort] = [20_000, 32_000];
const maxAttempts = 100;

/**
 * A port of loopback that no program listens at. It is reserved until this process ends: no other call returns it, in
 * any process.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const port = minPort + Math.floor(Math.random() * (maxPort - minPort));
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
  throw new Error('No free port was found');
}

/** Takes the UDP port of the same number, which only one process can have. */
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => socket.close(() => resolve(false)));
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
    socket.unref();
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}
