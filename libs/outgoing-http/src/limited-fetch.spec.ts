import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { limitedFetch } from './limited-fetch.js';

const limits = { timeoutMs: 10_000, maxBytes: 1_000 };

let server: Server;
let address: string;
let respond: (response: ServerResponse) => void;
beforeEach(async () => {
  server = createServer((_request, response) => respond(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

describe('limitedFetch', () => {
  it('returns the response unchanged', async () => {
    respond = (response) => response.writeHead(201, { 'x-name': 'value' }).end('x'.repeat(1_000));
    const received = await limitedFetch(limits)(address);
    expect([received.status, received.headers.get('x-name')]).toEqual([201, 'value']);
    expect(await received.text()).toHaveLength(1_000);
  });

  it('returns responses without a body', async () => {
    respond = (response) => response.writeHead(204).end();
    expect((await limitedFetch(limits)(address)).status).toBe(204);
  });

  it('rejects a larger response, with any declared length', async () => {
    respond = (response) => {
      const more = setInterval(() => response.write('x'.repeat(600)), 1);
      response.once('close', () => clearInterval(more));
    };
    await expect(limitedFetch(limits)(address)).rejects.toThrow('larger than 1000 bytes');
  });

  it('rejects a response that does not begin or end in time', async () => {
    const shortFetch = limitedFetch({ ...limits, timeoutMs: 50 });
    respond = () => undefined;
    await expect(shortFetch(address)).rejects.toThrow(/timeout/);
    respond = (response) => void response.write('x');
    await expect(shortFetch(address)).rejects.toThrow(/timeout/);
  });

  it('aborts with the signal of the caller', async () => {
    respond = () => undefined;
    await expect(limitedFetch(limits)(address, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/);
  });

  it('follows no redirects', async () => {
    respond = (response) => response.writeHead(302, { location: 'http://127.0.0.1:1' }).end();
    expect((await limitedFetch(limits)(address)).status).toBe(302);
  });
});
