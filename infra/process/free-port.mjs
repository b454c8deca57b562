import { connect, createServer } from 'node:net';

/**
 * Tries to listen and stops at once.
 * @param {number} port 0 lets the system choose
 * @param {string} [host] every address when left out
 * @returns {Promise<number>} the port; rejects with the error of listen, for example EADDRINUSE
 */
export function tryPort(port, host) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const chosen = server.address().port;
      server.close(() => resolve(chosen));
    });
  });
}

/**
 * Below the ports that systems give to outgoing connections (Linux from 32768, others from 49152): such a one may be
 * taken by a connection between this call and the listening.
 */
const [minPort, maxPort] = [10_000, 32_000];
const maxAttempts = 100;

/** A free port on loopback, the preferred one if it can be had. @param {number} [preferred] */
export async function freePort(preferred) {
  for (let tries = 0; tries < maxAttempts; tries += 1) {
    const candidate = (tries === 0 && preferred) || minPort + Math.floor(Math.random() * (maxPort - minPort));
    try {
      return await tryPort(candidate, '127.0.0.1');
    } catch {
      // taken: any other will do
    }
  }
  return tryPort(0, '127.0.0.1');
}

/** Whether something accepts connections on this loopback port. @param {number} port */
export function isListening(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const done = (result) => {
      socket.destroy();
      resolve(result);
    };
    socket.setTimeout(1_000, () => done(false));
    socket.once('connect', () => done(true)).once('error', () => done(false));
  });
}
