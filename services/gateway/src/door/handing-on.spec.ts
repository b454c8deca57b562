import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  anonymous,
  attachedHandoff,
  clientAddressHeader,
  deriveInternalKeys,
  internalTokenHeader,
  InternalTokenSigner,
  type Handoff,
} from '@quire/context';
import type { ServiceDoor } from '@quire/http-server';
import { createLogger, Metrics } from '@quire/observability';
import type { TenantRegistry } from '@quire/tenancy';
import { assertionHeader, type CredentialAuthentication } from '../authentication/index.js';
import type { EdgeDoor } from './edge-door.js';
import { Gateway } from './gateway.js';

const tenant = { id: 'a', database: null };
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** What a service behind a gateway gets of a request of nobody. */
async function handedOn(
  { isLocal, trusted, edge }: { isLocal: boolean; trusted: string[]; edge?: EdgeDoor },
  headers: Record<string, string>,
): Promise<{ handoff: Handoff | undefined; headers: IncomingHttpHeaders }> {
  let received: Awaited<ReturnType<typeof handedOn>> | undefined;
  const door = {
    service: 'content',
    isLocal,
    handle(request, response, changes) {
      received = { handoff: attachedHandoff(request), headers: { ...request.headers, ...changes } };
      response.end();
    },
  } as Partial<ServiceDoor> as ServiceDoor;
  const gateway = new Gateway({
    registry: {
      byHost: () => Promise.resolve(tenant),
      registeredHost: () => Promise.resolve(undefined),
    } as Partial<TenantRegistry> as TenantRegistry,
    credentials: {
      sessionOfCookies: () => Promise.resolve(anonymous(tenant)),
    } as Partial<CredentialAuthentication> as CredentialAuthentication,
    edge,
    signer: new InternalTokenSigner(
      deriveInternalKeys('a secret of at least thirty-two characters', ['gateway']),
    ),
    doors: new Map([['content', door]]),
    publicAddress: { origin: 'https://site.example', isGiven: false },
    trustedProxies: { headers: trusted, hops: 1 },
    logger: createLogger({ level: 'silent', targets: ['spec'] }),
    metrics: new Metrics(),
  });
  const server = createServer((request, response) => void gateway.handle(request, response)).listen(0);
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await fetch(`http://127.0.0.1:${port}/_cms/api/content/posts`, { headers });
  if (!received) throw new Error('The request did not arrive');
  return received;
}

const forged = { [clientAddressHeader]: '192.0.2.66', [internalTokenHeader]: 'forged' };
const throughProxy = { 'x-real-ip': '203.0.113.7' };

describe('what a gateway tells a service of the client’s address (contract 4)', () => {
  it('lies beside the request in the same process; forged headers are removed', async () => {
    const { handoff, headers } = await handedOn(
      { isLocal: true, trusted: ['x-real-ip'] },
      { ...throughProxy, ...forged },
    );
    expect(handoff).toMatchObject({ principal: { kind: 'anonymous' }, clientAddress: '203.0.113.7' });
    expect(headers).not.toHaveProperty(clientAddressHeader);
    expect(headers).not.toHaveProperty(internalTokenHeader);
  });

  it('is a header for another process, in place of a forged one', async () => {
    const { headers } = await handedOn(
      { isLocal: false, trusted: ['x-real-ip'] },
      { ...throughProxy, ...forged },
    );
    expect(headers[clientAddressHeader]).toBe('203.0.113.7');
  });

  it('is that of the connection when no proxy is trusted, for services in other processes too', async () => {
    const local = await handedOn({ isLocal: true, trusted: [] }, { ...throughProxy, ...forged });
    expect(local.handoff?.clientAddress).toBe('127.0.0.1');
    const remote = await handedOn({ isLocal: false, trusted: [] }, { ...throughProxy, ...forged });
    expect(remote.headers[clientAddressHeader]).toBe('127.0.0.1');
  });
});

describe('the assertion of an edge access proxy', () => {
  const edge = {
    requireAvailable: () => undefined,
    principal: () => Promise.resolve(anonymous(tenant)),
  } as Partial<EdgeDoor> as EdgeDoor;

  it.each([true, false])(
    'goes no further than the gateway (service in the same process: %s)',
    async (isLocal) => {
      const { headers } = await handedOn({ isLocal, trusted: [], edge }, { [assertionHeader]: 'secret' });
      expect(headers[assertionHeader]).toBeUndefined();
    },
  );
});
