import { once } from 'node:events';
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  anonymous,
  getRequestIdentity,
  deriveInternalKeys,
  InternalTokenSigner,
  type RequestIdentity,
} from '@quire/context';
import { QuireError } from '@quire/errors';
import type { ServiceUpstream } from '@quire/service-client';
import { Metrics, type Logger } from '@quire/observability';
import type { TenantRegistry } from '@quire/tenancy';
import { useTracer } from '@quire/tracing';
import type { CredentialAuthentication } from './authentication/index.js';
import { LoadShedder, SiteRequestLimit } from './load-shedding/index.js';
import type { McpEndpoint } from './mcp/index.js';
import { Gateway } from './gateway.js';

const tenant = { id: 'a', database: null };
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

interface Forwarded {
  identity: RequestIdentity | undefined;
  headers: IncomingHttpHeaders;
}

interface Sent {
  received: Forwarded | undefined;
  /** Fields of the log line of the request. */
  logged: Record<string, unknown>;
}

/** Sends a request through a gateway in front of one service. */
async function send(
  { isLocal }: { isLocal: boolean },
  headers: Record<string, string>,
  { path = '/_cms/api/content/posts', method = 'GET', host = 'site.example' } = {},
): Promise<Sent> {
  let received: Forwarded | undefined;
  const logged = { promise: Promise.resolve({}), resolve: (_: object): void => undefined };
  logged.promise = new Promise<object>((resolve) => (logged.resolve = resolve));
  const upstream = {
    service: 'content',
    isLocal,
    handle(arrived, response, { headers: changes }) {
      received = { identity: getRequestIdentity(arrived), headers: { ...arrived.headers, ...changes } };
      response.end();
    },
  } as Partial<ServiceUpstream> as ServiceUpstream;
  const gateway = new Gateway({
    registry: {
      isSuspended: () => Promise.resolve(false),
      byHost: (name) => Promise.resolve(name.startsWith('unknown') ? undefined : tenant),
      registeredHost: () => Promise.resolve(undefined),
    } as Partial<TenantRegistry> as TenantRegistry,
    credentials: {
      sessionOfCookies: () => Promise.resolve(anonymous(tenant)),
      bearer: () => Promise.reject(new QuireError('INVALID_TOKEN', 'Invalid')),
    } as Partial<CredentialAuthentication> as CredentialAuthentication,
    mcp: {
      handle: ({ response }) => Promise.resolve(void response.writeHead(401).end()),
    } as Partial<McpEndpoint> as McpEndpoint,
    load: new LoadShedder({ maxRequests: 100, eventLoopDelayMs: () => 0 }),
    siteRequests: new SiteRequestLimit(undefined as never),
    signer: new InternalTokenSigner(
      deriveInternalKeys(['a secret of at least thirty-two characters'], ['gateway']),
    ),
    upstreams: new Map([['content', upstream]]),
    publicAddress: { origin: 'https://site.example', isGiven: false },
    trustedProxies: { headers: [], hops: 1 },
    logger: { info: (fields: object) => logged.resolve(fields) } as Partial<Logger> as Logger,
    metrics: new Metrics(),
  });
  const server = createServer((arrived, response) => void gateway.handle(arrived, response)).listen(0);
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sent = request({ host: '127.0.0.1', port, method, path, headers: { ...headers, host } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return { logged: (await logged.promise) as Sent['logged'], received };
}

describe('the log line of a request', () => {
  const direct = { isLocal: true };

  it.each([
    ['an invalid token', 401, { authorization: 'Bearer ec_pat_unknown' }, {}],
    [
      'a forged form',
      403,
      { origin: 'https://elsewhere.example', cookie: 'cms_session=x' },
      { method: 'POST' },
    ],
    ['an unknown path', 404, {}, { path: '/_cms/api/nothing/here' }],
    ['an MCP call without a token', 401, {}, { path: '/_cms/api/mcp', method: 'POST' }],
  ])('names the site and the path of %s', async (_, status, headers, target) => {
    const { logged, received } = await send(direct, headers as Record<string, string>, target);
    expect(received).toBeUndefined();
    const { path = '/_cms/api/content/posts' } = target as { path?: string };
    expect(logged).toMatchObject({ tenant: 'a', path, status });
  });

  it('names no site for the host of none', async () => {
    const { logged } = await send(direct, {}, { host: 'unknown.example' });
    expect(logged).toMatchObject({ tenant: undefined, status: 404 });
  });
});

describe('the trace of a request', () => {
  const inbound = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const traceOf = async (isLocal: boolean, headers: Record<string, string>) => {
    const { received, logged } = await send({ isLocal }, headers);
    const trace = isLocal ? received?.identity?.trace : received?.headers['traceparent'];
    return { trace: String(trace), traceId: logged['traceId'] };
  };

  it.each([true, false])('is the one that the client began (local service: %s)', async (isLocal) => {
    expect(await traceOf(isLocal, { traceparent: inbound })).toEqual({
      trace: inbound,
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    });
  });

  it.each([true, false])('begins at the gateway without a valid one (local service: %s)', async (isLocal) => {
    const traces = [await traceOf(isLocal, {}), await traceOf(isLocal, { traceparent: `${inbound}-forged` })];
    for (const { trace, traceId } of traces) {
      expect(trace).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-00$/);
      expect(traceId).toBe(trace.slice(3, 35));
    }
    expect(traces[0]?.traceId).not.toBe(traces[1]?.traceId);
  });

  it('has a span with the outcome and the site, also of a refused request', async () => {
    const ended: unknown[] = [];
    useTracer({
      startSpan: (_, options) => {
        const facts: Record<string, unknown> = { ...options.attributes, parent: options.parent };
        return {
          trace: inbound.replace('902b7', '902b8'),
          setName: (name) => void (facts['name'] = name),
          setAttributes: (attributes) => void Object.assign(facts, attributes),
          end: (error) => void ended.push({ ...facts, error }),
        };
      },
    });
    const { received } = await send({ isLocal: false }, { traceparent: inbound });
    await send(
      { isLocal: false },
      { authorization: 'Bearer x' },
      { path: '/_cms/api/content/posts?token=x' },
    );
    useTracer(undefined);
    expect(received?.headers['traceparent']).toBe(inbound.replace('902b7', '902b8'));
    const facts = {
      name: 'GET content',
      'quire.tenant': 'a',
      'http.request.method': 'GET',
      error: undefined,
    };
    expect(ended).toEqual([
      expect.objectContaining({ ...facts, parent: inbound, 'http.response.status_code': 200 }),
      expect.objectContaining({ ...facts, parent: undefined, 'http.response.status_code': 401 }),
    ]);
    expect(JSON.stringify(ended)).not.toContain('token');
  });
});
