import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { anonymous, deriveInternalKeys, InternalTokenSigner } from '@quire/context';
import { QuireError } from '@quire/errors';
import { createLogger, Metrics } from '@quire/observability';
import type { ServiceUpstream } from '@quire/service-client';
import type { ReadOnlyReason, TenantRegistry } from '@quire/tenancy';
import type { CredentialAuthentication } from './authentication/index.js';
import { LoadShedder, SiteRequestLimit } from './load-shedding/index.js';
import type { McpEndpoint } from './mcp/index.js';
import { Gateway } from './gateway.js';

const tenant = { id: 'a', database: null };
let reason: () => Promise<ReadOnlyReason | undefined>;
/** Methods and paths that arrived at a service. */
let forwarded: string[];
let server: Server;

beforeAll(async () => {
  const upstream = {
    isLocal: true,
    handle(request, response) {
      forwarded.push(`${request.method} ${request.url}`);
      response.end();
    },
  } as Partial<ServiceUpstream> as ServiceUpstream;
  const gateway = new Gateway({
    registry: {
      byHost: () => Promise.resolve(tenant),
      registeredHost: () => Promise.resolve(undefined),
      readOnlyReasonOf: () => reason(),
      isSuspended: () => Promise.resolve(false),
    } as Partial<TenantRegistry> as TenantRegistry,
    credentials: {
      sessionOfCookies: () => Promise.resolve(anonymous(tenant)),
      bearer: () => Promise.reject(new QuireError('INVALID_TOKEN', 'Invalid')),
    } as Partial<CredentialAuthentication> as CredentialAuthentication,
    load: new LoadShedder({ maxRequests: 100, eventLoopDelayMs: () => 0 }),
    siteRequests: new SiteRequestLimit(undefined as never),
    mcp: {
      handle: ({ request, response }) => {
        forwarded.push(`${request.method} mcp`);
        response.end();
        return Promise.resolve();
      },
    } as Partial<McpEndpoint> as McpEndpoint,
    signer: new InternalTokenSigner(
      deriveInternalKeys(['a secret of at least thirty-two characters'], ['gateway']),
    ),
    upstreams: new Map(['auth', 'content', 'transfer'].map((name) => [name, upstream])),
    publicAddress: { origin: 'https://site.example', isGiven: false },
    trustedProxies: { headers: [], hops: 1 },
    logger: createLogger({ level: 'silent', targets: ['spec'] }),
    metrics: new Metrics(),
  });
  server = createServer((request, response) => void gateway.handle(request, response)).listen(0);
  await once(server, 'listening');
});
beforeEach(() => {
  forwarded = [];
  reason = () => Promise.resolve('TRANSFER_IMPORT_IN_PROGRESS');
});
afterAll(() => void server.close());

async function send(method: string, path: string, headers: Record<string, string> = {}) {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/_cms${path}`, {
    method,
    headers: { 'x-cms-request': '1', ...headers },
  });
  const text = await response.text();
  const code = response.ok ? undefined : (JSON.parse(text) as { error: { code: string } }).error.code;
  return { status: response.status, code, retryAfter: response.headers.get('retry-after') };
}

describe('Gateway during a site import (contract 25)', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('rejects %s, and forwards nothing', async (method) => {
    expect(await send(method, '/api/content/posts')).toEqual({
      status: 503,
      code: 'TRANSFER_IMPORT_IN_PROGRESS',
      retryAfter: '30',
    });
    expect(forwarded).toEqual([]);
  });

  it.each([
    ['GET', '/api/content/posts'],
    ['HEAD', '/api/content/posts'],
    ['OPTIONS', '/api/content/posts'],
    ['POST', '/api/auth/logout'],
    ['POST', '/api/admin/transfer/exports'],
  ])('forwards %s %s', async (method, path) => {
    expect((await send(method, path)).status).toBe(200);
    expect(forwarded).toEqual([`${method} /_cms${path}`]);
  });

  it('leaves calls of the MCP server to the services of their tools', async () => {
    expect((await send('POST', '/api/mcp')).status).toBe(200);
    expect(forwarded).toEqual(['POST mcp']);
  });

  it('reports invalid credentials and forged requests first', async () => {
    const invalid = await send('POST', '/api/content/posts', { authorization: 'Bearer x' });
    expect(invalid).toMatchObject({ status: 401, code: 'INVALID_TOKEN' });
    const forged = { 'x-cms-request': '', origin: 'https://other.example' };
    expect(await send('POST', '/api/content/posts', forged)).toMatchObject({ code: 'CSRF_REJECTED' });
  });

  it('rejects writes while the registry cannot be read', async () => {
    reason = () => Promise.reject(new Error('down'));
    expect(await send('POST', '/api/content/posts')).toEqual({
      status: 503,
      code: 'TRANSFER_FENCE_CHECK_FAILED',
      retryAfter: '30',
    });
    expect((await send('GET', '/api/content/posts')).status).toBe(200);
  });

  it('forwards writes after it', async () => {
    reason = () => Promise.resolve(undefined);
    expect((await send('POST', '/api/content/posts')).status).toBe(200);
  });
});
