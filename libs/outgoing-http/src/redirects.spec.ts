import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DisallowedAddressError, followRedirects, guardedFetch, TooManyRedirectsError } from './index.js';

interface Received {
  method: string | undefined;
  url: string | undefined;
  authorization: string | undefined;
  cookie: string | undefined;
}

const servers: Server[] = [];
let received: Received[] = [];
let origin: string;
let otherOrigin: string;

/** `/redirect?status=302&to=…` redirects, `/loop/3` redirects three times; all else responds "ok". */
async function listen(): Promise<string> {
  const server = createServer((request: IncomingMessage, response) => {
    const { method, url, headers } = request;
    received.push({ method, url, authorization: headers.authorization, cookie: headers.cookie });
    const { pathname, searchParams } = new URL(String(url), 'http://server.example');
    const left = Number(/^\/loop\/(\d+)$/.exec(pathname)?.[1] ?? 0);
    if (left > 0) return response.writeHead(302, { location: `/loop/${left - 1}` }).end();
    const to = searchParams.get('to');
    if (to === null) return response.end('ok');
    return response.writeHead(Number(searchParams.get('status') ?? 302), { location: to }).end('moved');
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const follow = followRedirects(guardedFetch({ allowLoopback: true }), { maxRedirects: 5 });
const redirect = (to: string, status = 302) =>
  `${origin}/redirect?${new URLSearchParams({ to, status: String(status) })}`;

beforeAll(async () => {
  origin = await listen();
  otherOrigin = await listen();
});
beforeEach(() => {
  received = [];
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

describe('followRedirects', () => {
  it('follows as many redirects as the limit', async () => {
    expect(await (await follow(`${origin}/loop/5`)).text()).toBe('ok');
    expect(received).toHaveLength(6);
  });

  it('rejects one more', async () => {
    await expect(follow(`${origin}/loop/6`)).rejects.toThrow(TooManyRedirectsError);
    expect(received).toHaveLength(6);
  });

  it.each(['http://10.0.0.1/', 'http://169.254.169.254/latest/', 'http://[::ffff:10.0.0.1]/'])(
    'rejects a redirect to %s',
    async (target) => {
      await expect(follow(redirect(target))).rejects.toThrow(DisallowedAddressError);
      expect(received).toHaveLength(1);
    },
  );

  it('rejects a redirect to a file', async () => {
    await expect(follow(redirect('file:///etc/passwd'))).rejects.toThrow(TypeError);
  });

  it('sends credentials only to the same origin', async () => {
    const headers = { authorization: 'Bearer secret', cookie: 'a=b', accept: 'text/plain' };
    await follow(redirect('/same'), { headers });
    await follow(redirect(`${otherOrigin}/other`), { headers });
    expect(received.filter(({ url }) => url !== undefined && !url.startsWith('/redirect'))).toEqual([
      { method: 'GET', url: '/same', authorization: 'Bearer secret', cookie: 'a=b' },
      { method: 'GET', url: '/other', authorization: undefined, cookie: undefined },
    ]);
  });

  it.each([
    [302, 'GET'],
    [303, 'GET'],
    [307, 'POST'],
    [308, 'POST'],
  ])('continues a POST after %s with %s', async (status, method) => {
    await follow(redirect('/next', status), { method: 'POST', body: 'text' });
    expect(received.map((request) => request.method)).toEqual(['POST', method]);
  });

  it('returns a redirect without a usable address', async () => {
    expect(await follow(redirect('http://'))).toHaveProperty('status', 302);
  });
});
