import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { guardedFetch, DisallowedAddressError, ResponseTooLargeError } from './index.js';

const responses: Record<string, RequestListener> = {
  '/': (_, response) => response.end('hello'),
  '/moved': (_, response) => response.writeHead(302, { location: '/' }).end(),
  '/inside': (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
  '/elsewhere': (_, response) => response.writeHead(302, { location: 'http://inside.example/' }).end(),
  '/large': (_, response) => response.end('x'.repeat(5000)),
  '/bomb': (_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(5000))),
  '/silent': () => undefined,
  '/trickle': (_, response) => void response.write('a'),
};

let server: Server;
let port: number;
let connections = 0;
const at = (path: string, host = '127.0.0.1') => `http://${host}:${port}${path}`;
const open = (options = {}) => guardedFetch({ allowLoopback: true, ...options });

/** A resolver that knows these names. */
const knows =
  (names: Record<string, string[]>, lookups: string[] = []): LookupFunction =>
  (hostname, _, callback) => {
    lookups.push(hostname);
    const addresses = (names[hostname] ?? []).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
    callback(null, addresses);
  };

beforeAll(async () => {
  server = createServer((request, response) => responses[request.url ?? '']?.(request, response));
  server.on('connection', () => (connections += 1));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

describe('guardedFetch', () => {
  it('returns the response of an allowed address', async () => {
    const response = await open()(at('/'));
    expect(response).toBeInstanceOf(Response);
    expect([response.status, await response.text()]).toEqual([200, 'hello']);
  });

  it('connects to the checked address, after one look-up', async () => {
    const lookups: string[] = [];
    const lookup = knows({ 'somebody.example': ['127.0.0.1'] }, lookups);
    const response = await open({ protocols: ['http:'], anyPort: true, lookup })(at('/', 'somebody.example'));
    expect(await response.text()).toBe('hello');
    expect(lookups).toEqual(['somebody.example']);
  });

  it.each([
    ['http', 'http://example.com/'],
    ['another port', 'https://example.com:8443/'],
    ['loopback', 'https://127.0.0.1/'],
    ['loopback in another spelling', 'https://0x7f.1/'],
    ['any address', 'https://0.0.0.0/'],
    ['a private network', 'https://192.168.1.1/'],
    ['another private network', 'https://10.1.2.3/'],
    ['the address of cloud metadata', 'https://169.254.169.254/'],
    ['carrier NAT', 'https://100.64.0.1/'],
    ['loopback of IPv6', 'https://[::1]/'],
    ['a unique local address', 'https://[fd00::1]/'],
    ['a link-local address', 'https://[fe80::1]/'],
    ['loopback mapped into IPv6', 'https://[::ffff:127.0.0.1]/'],
    ['loopback in a compatible IPv6 address', 'https://[::127.0.0.1]/'],
    ['a private network behind NAT64', 'https://[64:ff9b::10.0.0.1]/'],
    ['a private network behind 6to4', 'https://[2002:0a00:0001::]/'],
  ])('rejects %s: %s', async (_, url) => {
    await expect(guardedFetch()(url)).rejects.toThrow(DisallowedAddressError);
  });

  it.each([
    ['a private address', ['10.0.0.1']],
    ['loopback', ['127.0.0.1']],
    ['loopback of IPv6', ['::1']],
    ['a public and a private address', ['93.184.215.14', '192.168.0.1']],
    ['nothing', []],
  ])('rejects a name that resolves to %s', async (_, addresses) => {
    const before = connections;
    const fetchIt = guardedFetch({
      protocols: ['http:'],
      anyPort: true,
      lookup: knows({ 'inside.example': addresses }),
    });
    await expect(fetchIt(at('/', 'inside.example'))).rejects.toThrow(DisallowedAddressError);
    expect(connections).toBe(before);
  });

  it('rejects localhost as the system resolves it', async () => {
    await expect(guardedFetch()('https://localhost/')).rejects.toThrow(DisallowedAddressError);
  });

  it('rejects a redirect unless the option follows it', async () => {
    await expect(open()(at('/moved'))).rejects.toThrow(TypeError);
    const response = await open()(at('/moved'), { redirect: 'follow' });
    expect(await response.text()).toBe('hello');
  });

  it.each(['/inside', '/elsewhere'])('rejects a redirect into a private network (%s)', async (path) => {
    const fetchIt = open({ protocols: ['http:'], lookup: knows({ 'inside.example': ['10.0.0.1'] }) });
    await expect(fetchIt(at(path), { redirect: 'follow' })).rejects.toThrow(DisallowedAddressError);
  });

  it.each(['/large', '/bomb'])('rejects a body beyond the limit (%s)', async (path) => {
    const response = await open({ maxBytes: 1000 })(at(path));
    await expect(response.text()).rejects.toThrow(ResponseTooLargeError);
  });

  it('reads a body of exactly the maximum size', async () => {
    const response = await open({ maxBytes: 5000 })(at('/large'));
    expect(await response.text()).toHaveLength(5000);
  });

  it('rejects after the timeout of a server that does not respond', async () => {
    await expect(open({ timeoutMs: 50 })(at('/silent'))).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('rejects after the timeout of a body that does not end', async () => {
    const reading = open({ timeoutMs: 200 })(at('/trickle')).then((response) => response.text());
    await expect(reading).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('aborts with the signal of the caller', async () => {
    const signal = AbortSignal.abort(new Error('not wanted any more'));
    await expect(open()(at('/'), { signal })).rejects.toThrow('not wanted any more');
  });
});
