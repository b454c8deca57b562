import {
  createServer,
  get,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { EventEmitter, once } from 'node:events';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  deriveInternalKeys,
  internalTokenHeader,
  InternalTokenSigner,
  InternalTokenVerifier,
  systemActor,
} from '@quire/context';
import type { ErrorRenderer } from '@quire/http-server';
import { createLogger } from '@quire/observability';
import { httpUpstream } from './http-upstream.js';
import type { ForwardOptions, ServiceUpstream } from './service-upstream.js';

const logger = createLogger({ level: 'silent', targets: ['spec'] });
const renderError: ErrorRenderer = ({ message }, { path }) =>
  path.startsWith('/pages/')
    ? { body: `<h1>${message}</h1>`, headers: { 'content-type': 'text/html; charset=utf-8' } }
    : undefined;
const proxyTimeouts = { connectMs: 500, headersMs: 1_000, bodyMs: 1_000 };
const keys = deriveInternalKeys(['a secret of at least thirty-two characters'], ['gateway', 'media']);
const signer = new InternalTokenSigner(keys);
const servers: Server[] = [];
const upstreams: ServiceUpstream[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A proxy that forwards everything to a service. @returns the proxy's origin */
async function proxyTo(origin: string, options: ForwardOptions = {}): Promise<string> {
  const upstream = httpUpstream('content', origin, { logger, signer, proxyTimeouts, renderError });
  upstreams.push(upstream);
  return serve((request, response) => upstream.handle(request, response, options));
}

/** A service behind a proxy. @returns the proxy's origin */
const serveThroughProxy = async (service: RequestListener) => proxyTo(await serve(service));

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  await Promise.all(upstreams.splice(0).map((upstream) => upstream.close()));
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString();
}
const errorOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string } }).error.code;
const breakOff = (_: IncomingMessage, response: ServerResponse) => void response.destroy();

describe('httpUpstream.handle (design 3)', () => {
  it('calls onResponse before the client receives the response', async () => {
    const statuses: number[] = [];
    const service = await serve((_, response) => void response.writeHead(201).end('done'));
    const front = await proxyTo(service, { onResponse: (status) => statuses.push(status) });
    const socket = get(front);
    const [response] = (await once(socket, 'response')) as [IncomingMessage];
    expect(statuses).toEqual([201]);
    response.resume();
  });

  it('forwards method, path, query, headers and body, and returns status and headers of the response', async () => {
    const front = await serveThroughProxy((request, response) => {
      void bodyOf(request).then((body) => {
        const { method, url, headers } = request;
        response.writeHead(201, { 'x-of-service': 'yes', 'content-type': 'text/plain' });
        response.end([method, url, headers['x-custom'], body].join(' '));
      });
    });
    const received = await fetch(`${front}/a%20b?q=1&q=2`, {
      method: 'PUT',
      headers: { 'x-custom': 'c' },
      body: 'ü',
    });
    expect([received.status, received.headers.get('x-of-service'), await received.text()]).toEqual([
      201,
      'yes',
      'PUT /a%20b?q=1&q=2 c ü',
    ]);
  });

  it('replaces and removes headers of the gateway, and drops hop-by-hop headers', async () => {
    const service = await serve((request, response) => response.end(JSON.stringify(request.headers)));
    const front = await proxyTo(service, {
      headers: { authorization: undefined, 'x-cms-internal': 'signed' },
    });
    const received = await fetch(front, {
      headers: { authorization: 'Bearer secret', 'x-cms-internal': 'forged', te: 'trailers' },
    });
    const seen = (await received.json()) as Record<string, string>;
    expect(seen['x-cms-internal']).toBe('signed');
    expect(seen).not.toHaveProperty('authorization');
    expect(seen).not.toHaveProperty('te');
    expect(seen['host']).toBe(new URL(service).host);
  });

  it('drops the headers that Connection names, but not those of the gateway', async () => {
    const service = await serve((request, response) => {
      response.writeHead(200, { connection: 'x-of-hop', 'x-of-hop': 'response', 'x-kept': 'response' });
      response.end(JSON.stringify(request.headers));
    });
    const front = await proxyTo(service, { headers: { 'x-cms-internal': 'signed' } });
    const headers = { connection: 'X-Of-Hop, x-cms-internal', 'x-of-hop': 'request', 'x-kept': 'request' };
    const sent = get(front, { headers });
    const [received] = (await once(sent, 'response')) as [IncomingMessage];
    expect(received.headers).toMatchObject({ 'x-kept': 'response' });
    expect(received.headers).not.toHaveProperty('x-of-hop');
    const seen = JSON.parse(await bodyOf(received)) as Record<string, string>;
    expect(seen).toMatchObject({ 'x-kept': 'request', 'x-cms-internal': 'signed' });
    expect(seen).not.toHaveProperty('x-of-hop');
  });

  it('forwards a body in chunks in chunks, also when it has arrived before the service is asked', async () => {
    const service = await serve((request, response) => {
      request.resume().once('end', () => response.end(JSON.stringify(request.headers)));
    });
    const upstream = httpUpstream('content', service, { logger, signer, proxyTimeouts, renderError });
    upstreams.push(upstream);
    const origin = await serve((request, response) => {
      // The whole request is there.
      void wait(50).then(() => upstream.handle(request, response, {}));
    });
    const sent = async (body: RequestInit['body']) => {
      const options = { method: 'PUT', body: body ?? null, duplex: 'half' } as RequestInit;
      const headers = (await (await fetch(origin, options)).json()) as Record<string, string>;
      return [headers['content-length'], headers['transfer-encoding']];
    };
    expect(await sent(new Blob(['text']).stream())).toEqual([undefined, 'chunked']);
    expect(await sent('text')).toEqual(['4', undefined]);
  });

  it('streams both ways: the first part of the response comes before the last part of the body is sent', async () => {
    const front = await serveThroughProxy((request, response) => {
      request.on('data', (part: Buffer) => response.write(part));
      request.on('end', () => response.end());
    });
    let send = (_: string) => undefined as void;
    let end = () => undefined as void;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        send = (text) => controller.enqueue(Buffer.from(text));
        end = () => controller.close();
      },
    });
    send('first');
    const received = await fetch(front, { method: 'POST', body, duplex: 'half' } as RequestInit);
    const reader = received.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first');
    send('second');
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('second');
    end();
    expect((await reader?.read())?.done).toBe(true);
  });

  it('does not apply the response timeout while the request body is arriving', async () => {
    const front = await serveThroughProxy(
      (request, response) => void bodyOf(request).then((body) => response.end(body)),
    );
    const parts = Array.from({ length: 9 }, (_, index) => `part ${index} `);
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        await wait(proxyTimeouts.headersMs / 5);
        const part = parts.shift();
        if (part === undefined) controller.close();
        else controller.enqueue(Buffer.from(part));
      },
    });
    const sent = parts.join('');
    const received = await fetch(front, { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect([received.status, await received.text()]).toEqual([200, sent]);
  });

  it('makes the service wait while the client does not read', async () => {
    const part = Buffer.alloc(1024 * 1024, 'x');
    const partCount = 64;
    let sent = 0;
    const front = await serveThroughProxy((_, response) => {
      const sendMore = (): void => {
        while (sent < partCount) {
          sent += 1;
          if (!response.write(part)) return void response.once('drain', sendMore);
        }
        response.end();
      };
      sendMore();
    });
    const [received] = (await once(get(front), 'response')) as [IncomingMessage];
    received.pause();
    await wait(300);
    expect(sent).toBeLessThan(partCount);
    expect((await bodyOf(received)).length).toBe(partCount * part.length);
    expect(sent).toBe(partCount);
  });

  it('sends a body of a known length that has arrived together with the headers', async () => {
    const parts: string[] = [];
    const service = createTcpServer((socket) =>
      socket.on('data', (part: Buffer) => {
        parts.push(part.toString());
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      }),
    ).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const front = await proxyTo(`http://127.0.0.1:${(service.address() as AddressInfo).port}`);
    const received = await fetch(front, { method: 'PUT', body: 'a text' });
    expect([received.status, await received.text()]).toEqual([200, 'ok']);
    expect(parts).toEqual([expect.stringMatching(/^PUT \/ [^]*\r\n\r\na text$/)]);
    service.close();
  });

  it('aborts the upstream request when the client disconnects', async () => {
    const responses = new EventEmitter();
    const front = await serveThroughProxy((_, response) => responses.emit('begun', response));
    const begun = once(responses, 'begun') as Promise<[ServerResponse]>;
    const aborter = new AbortController();
    const aborted = fetch(front, { signal: aborter.signal }).catch(() => undefined);
    const [response] = await begun;
    const closed = once(response, 'close');
    aborter.abort();
    await closed;
    await aborted;
  });
});

describe('httpUpstream.handle with a failing service (design 3, one retry for safe methods only)', () => {
  it('retries a safe request once when the connection breaks', async () => {
    let requestCount = 0;
    const front = await serveThroughProxy((request, response) => {
      requestCount += 1;
      if (requestCount === 1) breakOff(request, response);
      else response.end('second time');
    });
    expect(await (await fetch(front)).text()).toBe('second time');
    expect(requestCount).toBe(2);
  });

  it('does not retry a second time', async () => {
    let requestCount = 0;
    const front = await serveThroughProxy((request, response) => {
      requestCount += 1;
      breakOff(request, response);
    });
    const received = await fetch(front);
    expect([received.status, await errorOf(received), requestCount]).toEqual([502, 'BAD_GATEWAY', 2]);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('does not retry %s', async (method) => {
    let requestCount = 0;
    const front = await serveThroughProxy((request, response) => {
      requestCount += 1;
      breakOff(request, response);
    });
    const received = await fetch(front, { method });
    expect([received.status, await errorOf(received), requestCount]).toEqual([502, 'BAD_GATEWAY', 1]);
  });

  it('returns 503 with Retry-After when the service does not run', async () => {
    const service = await serve(() => undefined);
    servers.pop()?.close();
    const response = await fetch(await proxyTo(service), { method: 'POST', body: 'x' });
    expect([response.status, response.headers.get('retry-after'), await errorOf(response)]).toEqual([
      503,
      '2',
      'SERVICE_UNAVAILABLE',
    ]);
  });

  it('returns errors in the form of the renderer, without a body on HEAD', async () => {
    const front = await proxyTo('http://127.0.0.1:9');
    const response = await fetch(`${front}/pages/login?a=1`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      503,
      'text/html; charset=utf-8',
    ]);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toBe('<h1>The content service is not running; retry later</h1>');
    const head = await fetch(`${front}/pages/login?a=1`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([503, '']);
  });

  it('returns 504 on timeout without a retry', async () => {
    let requestCount = 0;
    const front = await serveThroughProxy(() => (requestCount += 1));
    const response = await fetch(front);
    expect([response.status, await errorOf(response), requestCount]).toEqual([504, 'GATEWAY_TIMEOUT', 1]);
  });

  it('uses the longer timeout that an operation declares', async () => {
    const service = await serve((_, response) => void setTimeout(() => response.end('done'), 2_500));
    const front = await proxyTo(service, { timeoutSeconds: 3600 });
    const received = await fetch(`${front}/_cms/api/admin/media-usage/repair?x=1`, { method: 'POST' });
    expect([received.status, await received.text()]).toEqual([200, 'done']);
  });

  it('aborts the response to the client when the upstream response is aborted', async () => {
    let abort = () => undefined as unknown;
    const front = await serveThroughProxy((_, response) => {
      response.write('half');
      abort = () => response.destroy();
    });
    const received = await fetch(front);
    abort();
    await expect(received.text()).rejects.toThrow('terminated');
  });
});

describe('httpUpstream.request', () => {
  it('sends JSON and returns status and text', async () => {
    const origin = await serve((request, response) => {
      void bodyOf(request).then((body) =>
        response.writeHead(418).end(`${request.method} ${request.url} ${body}`),
      );
    });
    const upstream = httpUpstream('auth', origin, { logger, signer, proxyTimeouts });
    upstreams.push(upstream);
    expect(await upstream.request('/a', { b: 1 })).toEqual({ status: 418, text: 'POST /a {"b":1}' });
    expect(await upstream.request('/a')).toEqual({ status: 418, text: 'GET /a ' });
  });

  it('sends an internal token bound to that request', async () => {
    const origin = await serve(({ headers }, response) => response.end(headers[internalTokenHeader]));
    const upstream = httpUpstream('auth', origin, { logger, signer, proxyTimeouts });
    upstreams.push(upstream);
    const principal = systemActor({ id: 'a', database: null }, 'system:media');
    const { text } = await upstream.request('/a', {}, { issuer: 'media', principal });
    const verifier = new InternalTokenVerifier(keys);
    const binding = { service: 'auth', method: 'POST', path: '/a' };
    expect(verifier.verify(text, binding)).toEqual(principal);
    expect(() => verifier.verify(text, { ...binding, path: '/b' })).toThrow('another request');
  });

  it('rejects with BAD_GATEWAY or SERVICE_UNAVAILABLE', async () => {
    const origin = await serve(breakOff);
    const upstream = httpUpstream('auth', origin, { logger, signer, proxyTimeouts });
    upstreams.push(upstream);
    await expect(upstream.request('/a', {})).rejects.toMatchObject({ code: 'BAD_GATEWAY' });
    servers.pop()?.close();
    await expect(upstream.request('/a', {})).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('pings /healthz: a process is not asked for its own dependencies', async () => {
    let status = 200;
    const origin = await serve((request, response) =>
      response.writeHead(request.url === '/healthz' ? status : 404).end(),
    );
    const upstream = httpUpstream('auth', origin, { logger, signer, proxyTimeouts });
    upstreams.push(upstream);
    await expect(upstream.ping()).resolves.toBeUndefined();
    status = 503;
    await expect(upstream.ping()).rejects.toThrow('auth does not respond');
  });
});
