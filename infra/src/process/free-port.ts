import { createServer, type AddressInfo } from 'node:net';

/**
 * Listens on a port and closes it again.
 * @param port 0 lets the system choose
 * @param host every address when left out
 * @returns the port; rejects with the error of listen, for example EADDRINUSE
 */
export function tryPort(port: number, host?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      const chosen = (server.address() as AddressInfo).port;
      server.close(() => resolve(chosen));
    });
  });
}

/**
 * Below the ports that systems give to outgoing connections (Linux from 32768, others from 49152): a connection may
 * take one of those between this call and the listening. From 20,000 on are the ports that tests reserve.
 */
const [minPort, maxPort] = [10_000, 20_000];
const maxAttempts = 100;

/** A free port on loopback: the preferred one if it is free. */
export async function freePort(preferred?: number): Promise<number> {
  for (let tries = 0; tries < maxAttempts; tries += 1) {
    const candidate = (tries === 0 && preferred) || minPort + Math.floor(Math.random() * (maxPort - minPort));
    try {
      return await tryPort(candidate, '127.0.0.1');
    } catch {
      // taken: any other port will do
    }
  }
  return tryPort(0, '127.0.0.1');
}
