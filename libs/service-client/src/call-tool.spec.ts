import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  deriveInternalKeys,
  internalTokenHeader,
  InternalTokenSigner,
  InternalTokenVerifier,
  originHeader,
  requestIdHeader,
  type Principal,
  type RequestIdentity,
} from '@quire/context';
import { QuireError } from '@quire/errors';
import { createLogger } from '@quire/observability';
import { httpUpstream } from './http-upstream.js';
import type { ServiceUpstream } from './service-upstream.js';

const keys = deriveInternalKeys(['a secret of at least thirty-two characters'], ['gateway', 'content']);
const servers: Server[] = [];
const upstreams: ServiceUpstream[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  await Promise.all(upstreams.splice(0).map((upstream) => upstream.close()));
});

/** A client of a service in another process. */
async function upstreamOf(listener: RequestListener): Promise<ServiceUpstream> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const upstream = httpUpstream('content', origin, {
    logger: createLogger({ level: 'silent', targets: ['spec'] }),
    signer: new InternalTokenSigner(keys),
    proxyTimeouts: { connectMs: 500, headersMs: 500, bodyMs: 500 },
  });
  upstreams.push(upstream);
  return upstream;
}

const principal: Principal = {
  kind: 'token',
  tenant: { id: 'a', database: null },
  userId: 'u',
  role: 40,
  scopes: ['content:read'],
  tokenId: 't',
  tokenKind: 'oauth',
  clientId: 'app',
};
const identity: RequestIdentity = {
  principal,
  requestId: 'request-1',
  clientAddress: '203.0.113.7',
  origin: 'https://site.example',
  trace: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
};
const call = { tool: 'menu_get', arguments: { name: 'main' } };
const codeOf = (calling: Promise<unknown>) =>
  calling.then(
    () => 'ok',
    (error: unknown) => (error instanceof QuireError ? error.code : 'unexpected'),
  );

describe('httpUpstream.callTool', () => {
  it('sends the arguments in the name of the caller, to the path of the tool', async () => {
    let received: IncomingMessage | undefined;
    let body = '';
    const upstream = await upstreamOf((request, response) => {
      received = request;
      void request.toArray().then((chunks) => {
        body = Buffer.concat(chunks).toString();
        response.end('[1]');
      });
    });
    expect(await upstream.callTool(identity, call)).toBe('[1]');
    const path = '/_cms/api/internal/content/tools/menu_get';
    expect([received?.method, received?.url, body]).toEqual(['POST', path, '{"name":"main"}']);
    const headers: IncomingHttpHeaders = received?.headers ?? {};
    expect([headers[requestIdHeader], headers[originHeader]]).toEqual(['request-1', 'https://site.example']);
    expect(headers['traceparent']).toBe(identity.trace);
    expect(headers.authorization).toBeUndefined();
    const token = String(headers[internalTokenHeader]);
    const binding = { service: 'content', method: 'POST', path };
    const verified = new InternalTokenVerifier(keys).verify(token, binding);
    expect(verified).toEqual(principal);
  });

  it('sends the text of the arguments where it is given', async () => {
    const upstream = await upstreamOf((request, response) => void request.pipe(response));
    const argumentsText = '{ "price": 9007199254740993 }';
    expect(await upstream.callTool(identity, { ...call, argumentsText })).toBe(argumentsText);
  });

  it('rejects with the error of the tool', async () => {
    const error = { code: 'ENTRY_LOCKED', message: 'Ada is holding this entry', details: { userId: 'u' } };
    const upstream = await upstreamOf((_, response) => {
      response.writeHead(409, { 'retry-after': '7' }).end(JSON.stringify({ success: false, error }));
    });
    await expect(upstream.callTool(identity, call)).rejects.toMatchObject({ ...error, retryAfterSeconds: 7 });
  });

  it.each<[string, RequestListener]>([
    ['breaks the connection', (_, response) => void response.destroy()],
    [
      'breaks the connection in the result',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('[');
        setTimeout(() => response.destroy(), 20);
      },
    ],
    ['does not respond', () => undefined],
  ])('rejects with a code for the client when the service %s', async (_, listener) => {
    const upstream = await upstreamOf(listener);
    expect(['BAD_GATEWAY', 'SERVICE_UNAVAILABLE', 'GATEWAY_TIMEOUT']).toContain(
      await codeOf(upstream.callTool(identity, call)),
    );
  });

  it.each([
    [true, 'ok', 2],
    [false, 'BAD_GATEWAY', 1],
  ])('repeats a call without a response if it changes nothing: %s', async (isSafe, outcome, count) => {
    let requests = 0;
    const upstream = await upstreamOf((_, response) => {
      requests += 1;
      if (requests === 1) response.destroy();
      else response.end('[]');
    });
    expect(await codeOf(upstream.callTool(identity, call, { isSafe }))).toBe(outcome);
    expect(requests).toBe(count);
  });

  it('uses the longer timeout that the operation of a tool declares', async () => {
    const upstream = await upstreamOf(
      (_, response) => void setTimeout(() => response.end('[]'), 1_500).unref(),
    );
    expect(await upstream.callTool(identity, call, { timeoutSeconds: 60 })).toBe('[]');
    expect(await codeOf(upstream.callTool(identity, call))).toBe('GATEWAY_TIMEOUT');
  });

  it('rejects with an unexpected error for a response without an envelope', async () => {
    const upstream = await upstreamOf((_, response) => void response.writeHead(500).end('<h1>'));
    expect(await codeOf(upstream.callTool(identity, call))).toBe('unexpected');
  });
});
