import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { anonymous, setRequestIdentity, type Principal } from '@quire/context';
import { drainRequest } from './drain-request.js';

const tenant = { id: 'a', database: null };
const editor: Principal = { kind: 'session', tenant, userId: 'u', role: 40 };
const bodyBytes = 20 * 1024 * 1024;
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/**
 * The bytes that are read of a long body after an immediate response.
 * @param isWhole whether to wait for all of them, instead of until no more are read for some time
 */
async function readOf(status: number, principal?: Principal, isWhole = false): Promise<number> {
  let received: IncomingMessage | undefined;
  const server = createServer((request, response) => {
    received = request;
    if (principal)
      setRequestIdentity(request, { principal, requestId: '', clientAddress: null, origin: null });
    response.writeHead(status).end();
    drainRequest(request, status);
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${bodyBytes}\r\n\r\n`);
  socket.write(Buffer.alloc(bodyBytes));
  await once(socket, 'data');
  const read = () => received?.socket.bytesRead ?? 0;
  for (let before = -1; (isWhole || read() > before) && read() < bodyBytes;) {
    before = read();
    await wait(300);
  }
  socket.destroy();
  return read();
}

describe('drainRequest', () => {
  it('reads the whole body of an authorised caller', async () => {
    expect(await readOf(413, editor, true)).toBeGreaterThanOrEqual(bodyBytes);
  });

  it.each([
    ['a caller without the permission', 403, editor],
    ['an anonymous caller', 413, anonymous(tenant)],
    ['a caller who is not known', 401, undefined],
  ] as const)('reads only a little of the body of %s', async (_, status, principal) => {
    // Bytes in the buffers of the connection count too.
    expect(await readOf(status, principal)).toBeLessThan(512 * 1024);
  });
});
