import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  anonymous,
  getRequestIdentity,
  clientAddressHeader,
  deriveInternalKeys,
  internalTokenHeader,
  InternalTokenSigner,
  type RequestIdentity,
} from '@quire/context';
import type { ServiceUpstream } from '@quire/service-client';
import { createLogger, Metrics } from '@quire/observability';
import type { TenantRegistry } from '@quire/tenancy';
import type { CredentialAuthentication } from './authentication/index.js';
import { assertionHeader, type EdgeAccessPolicy } from './edge-access/index.js';
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

interface GatewayOptions {
  upstream: Pick<ServiceUpstream, 'service' | 'isLocal' | 'handle'>;
  trusted?: string[];
  edge?: EdgeAccessPolicy | undefined;
  credentials?: Partial<CredentialAuthentication>;
}

/** Serves a gateway in front of one service. @returns its origin */
async function serve({ upstream, trusted = [], edge, credentials }: GatewayOptions): Promise<string> {
  const gateway = new Gateway({
    registry: {
      byHost: () => Promise.resolve(tenant),
      registeredHost: () => Promise.resolve(undefined),
      readOnlyReasonOf: () => Promise.resolve(undefined),
      isSuspended: () => Promise.resolve(false),
    } as Partial<TenantRegistry> as TenantRegistry,
    credentials: {
      sessionOfCookies: () => Promise.resolve(anonymous(tenant)),
      ...credentials,
    } as Partial<CredentialAuthentication> as CredentialAuthentication,
    edge,
    mcp: {} as McpEndpoint,
    load: new LoadShedder({ maxRequests: 100, eventLoopDelayMs: () => 0 }),
    siteRequests: new SiteRequestLimit(undefined as never),
    signer: new InternalTokenSigner(
      deriveInternalKeys(['a secret of at least thirty-two characters'], ['gateway']),
    ),
    upstreams: new Map([[upstream.service, upstream as ServiceUpstream]]),
    publicAddress: { origin: 'https://site.example', isGiven: false },
    trustedProxies: { headers: trusted, hops: 1 },
    logger: createLogger({ level: 'silent', targets: ['spec'] }),
    metrics: new Metrics(),
  });
  const server = createServer((request, response) => void gateway.handle(request, response)).listen(0);
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The request that a service behind a gateway receives for an anonymous client. */
async function forwarded(
  { isLocal, trusted, edge }: { isLocal: boolean; trusted: string[]; edge?: EdgeAccessPolicy },
  headers: Record<string, string>,
): Promise<{ identity: RequestIdentity | undefined; headers: IncomingHttpHeaders }> {
  let received: Awaited<ReturnType<typeof forwarded>> | undefined;
  const upstream: GatewayOptions['upstream'] = {
    service: 'content',
    isLocal,
    handle(request, response, { headers: changes }) {
      received = { identity: getRequestIdentity(request), headers: { ...request.headers, ...changes } };
      response.end();
    },
  };
  await fetch(`${await serve({ upstream, trusted, edge })}/_cms/api/content/posts`, { headers });
  if (!received) throw new Error('The request did not arrive');
  return received;
}

const forged = { [clientAddressHeader]: '192.0.2.66', [internalTokenHeader]: 'forged' };
const throughProxy = { 'x-real-ip': '203.0.113.7' };

describe('Gateway: client address forwarding (contract 4)', () => {
  it('attaches the address to the request for a local service and removes forged headers', async () => {
    const { identity, headers } = await forwarded(
      { isLocal: true, trusted: ['x-real-ip'] },
      { ...throughProxy, ...forged },
    );
    expect(identity).toMatchObject({ principal: { kind: 'anonymous' }, clientAddress: '203.0.113.7' });
    expect(headers).not.toHaveProperty(clientAddressHeader);
    expect(headers).not.toHaveProperty(internalTokenHeader);
  });

  it('sends the address as a header to a remote service, replacing a forged one', async () => {
    const { headers } = await forwarded(
      { isLocal: false, trusted: ['x-real-ip'] },
      { ...throughProxy, ...forged },
    );
    expect(headers[clientAddressHeader]).toBe('203.0.113.7');
  });

  it('uses the connection address when no proxy is trusted', async () => {
    const local = await forwarded({ isLocal: true, trusted: [] }, { ...throughProxy, ...forged });
    expect(local.identity?.clientAddress).toBe('127.0.0.1');
    const remote = await forwarded({ isLocal: false, trusted: [] }, { ...throughProxy, ...forged });
    expect(remote.headers[clientAddressHeader]).toBe('127.0.0.1');
  });
});

describe('the assertion of an edge access proxy', () => {
  const edge = {
    assertAvailable: () => undefined,
    principal: () => Promise.resolve(anonymous(tenant)),
  } as Partial<EdgeAccessPolicy> as EdgeAccessPolicy;

  it.each([true, false])(
    'is removed before the request is forwarded (local service: %s)',
    async (isLocal) => {
      const { headers } = await forwarded({ isLocal, trusted: [], edge }, { [assertionHeader]: 'secret' });
      expect(headers[assertionHeader]).toBeUndefined();
    },
  );
});

describe('cached credentials after a write to an auth process', () => {
  const user = { kind: 'session', tenant, userId: 'u1', role: 40, sessionId: 's1' } as const;

  async function invalidated(
    method: string,
    path: string,
    { service = 'auth', status = 200 } = {},
  ): Promise<unknown[][]> {
    const calls: unknown[][] = [];
    const upstream: GatewayOptions['upstream'] = {
      service,
      isLocal: false,
      handle(_, response, { onResponse }) {
        onResponse?.(status);
        response.writeHead(status).end();
      },
    };
    const credentials = {
      sessionOfCookies: () => Promise.resolve(user),
      invalidate: (...of: unknown[]) => void calls.push(of),
    };
    const origin = await serve({ upstream, credentials });
    const response = await fetch(origin + path, { method, headers: { 'x-cms-request': '1' } });
    expect(response.status).toBe(status);
    return calls;
  }

  it('those of the caller are verified again, before the response is sent', async () => {
    expect(await invalidated('POST', '/_cms/api/auth/logout')).toEqual([['a', 'u1']]);
  });

  it('reads, failed writes, and writes to other services, leave them', async () => {
    expect(await invalidated('GET', '/_cms/api/auth/me')).toEqual([]);
    expect(await invalidated('POST', '/_cms/api/auth/logout', { status: 400 })).toEqual([]);
    const path = '/_cms/api/content/posts/x';
    expect(await invalidated('DELETE', path, { service: 'content' })).toEqual([]);
  });
});
