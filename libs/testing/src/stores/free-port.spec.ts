import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, expect, it, jest } from '@jest/globals';
import { freePort } from './free-port.js';

afterEach(() => void jest.restoreAllMocks());

/** Makes the next call try these ports first. */
function tryFirst(...ports: number[]) {
  const random = jest.spyOn(Math, 'random');
  for (const port of ports) random.mockReturnValueOnce((port - 20_000 + 0.5) / 12_000);
}

it('returns each port once', async () => {
  const first = await freePort();
  tryFirst(first);
  expect(await freePort()).not.toBe(first);
});

it('returns neither a port that another program has reserved nor one at which it listens', async () => {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  const server = createServer().listen(0, '127.0.0.1');
  await Promise.all([once(socket, 'listening'), once(server, 'listening')]);
  const reserved = socket.address().port;
  const listening = (server.address() as AddressInfo).port;
  tryFirst(reserved, listening);
  expect([reserved, listening]).not.toContain(await freePort());
  socket.close();
  server.close();
});

it('returns a port below those of outgoing connections, at which a server can listen', async () => {
  const port = await freePort();
  expect(port).toBeGreaterThanOrEqual(20_000);
  expect(port).toBeLessThan(32_000);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
});
