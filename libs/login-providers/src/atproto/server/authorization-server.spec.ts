import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { atprotoSite, FakeAtproto, openAtprotoLogin } from '@quire/testing';
import { clientMetadata } from '../client/site-client.js';

let fake: FakeAtproto;
const login = (limits?: { timeoutMs?: number; maxBytes?: number }) => openAtprotoLogin(fake, { limits });

beforeAll(async () => {
  fake = await FakeAtproto.start();
  const metadata = clientMetadata(atprotoSite);
  fake.serve(metadata.client_id, metadata);
});
afterAll(() => fake.stop());

describe('authorization server', () => {
  const did = 'did:plc:brokenbrokenbrokenbroken';
  const addresses = {
    directory: `https://plc.test/${did}`,
    account: 'https://kept.test/.well-known/oauth-protected-resource',
    authorization: 'https://as.test/.well-known/oauth-authorization-server',
  };
  const good: Record<keyof typeof addresses, Record<string, unknown>> = {
    directory: {
      id: did,
      service: [
        { id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: 'https://kept.test' },
      ],
    },
    account: { resource: 'https://kept.test', authorization_servers: ['https://as.test'] },
    authorization: {},
  };
  const places = Object.keys(addresses) as (keyof typeof addresses)[];
  const failed = {
    code: 'oauth_error',
    message: 'The server of that account responded unexpectedly.',
  };

  beforeAll(async () => {
    const response = await fake.network().fetch('https://auth.test/.well-known/oauth-authorization-server');
    good.authorization = { ...((await response.json()) as object), issuer: 'https://as.test' };
  });
  beforeEach(() => places.forEach((place) => fake.serve(addresses[place], good[place])));

  /** Begins a login with a change of one valid document. */
  function beginWith(place: keyof typeof addresses, change: Record<string, unknown>) {
    fake.serve(addresses[place], { ...good[place], ...change });
    return login().begin(did);
  }

  it('is the one that the account’s server names', async () => {
    const { url } = await login().begin(did);
    expect(new URL(url).origin).toBe('https://auth.test');
  });

  // Each document is the valid one with the change that its name describes.
  const responses: Record<string, (good: string) => RequestListener> = {
    'is silent': () => () => undefined,
    'sends without end': (json) => (_, response) => response.end(json + ' '.repeat(100_000)),
    'sends elsewhere': (json) => {
      fake.serve('https://elsewhere.test/', (_, response) => response.end(json));
      return (_, response) => response.writeHead(302, { location: 'https://elsewhere.test/' }).end(json);
    },
    fails: (json) => (_, response) => response.writeHead(500).end(json),
    'hangs up': () => (request) => request.socket.destroy(),
    'sends a page': () => (_, response) => response.end('<html></html>'),
    'sends another document': () => (_, response) => response.end('{"hello":"world"}'),
  };

  it.each(places.flatMap((place) => Object.keys(responses).map((fault) => [place, fault] as const)))(
    'makes a login fail when the document of the %s %s',
    async (place, fault) => {
      fake.serve(addresses[place], responses[fault]?.(JSON.stringify(good[place])) as RequestListener);
      const limits = { timeoutMs: 500, maxBytes: 50_000 };
      await expect(login(limits).begin(did)).rejects.toMatchObject(failed);
    },
  );

  const service = {
    id: '#atproto_pds',
    type: 'AtprotoPersonalDataServer',
    serviceEndpoint: 'https://kept.test',
  };
  it.each([
    ['is of another DID', { id: 'did:plc:alicealicealicealicealic' }],
    ['names no server', { service: undefined }],
    ['names only a service of another kind', { service: [{ ...service, id: '#labeler' }] }],
    ['names a server of another kind', { service: [{ ...service, type: 'Labeler' }] }],
    ['names a server without https', { service: [{ ...service, serviceEndpoint: 'http://kept.test' }] }],
    ['names a server with a path', { service: [{ ...service, serviceEndpoint: 'https://kept.test/pds' }] }],
    ['names a server with a user', { service: [{ ...service, serviceEndpoint: 'https://a:b@kept.test' }] }],
    ['names a server without a protocol', { service: [{ ...service, serviceEndpoint: 'kept.test' }] }],
  ])('is not contacted when the document of a DID %s', async (_, change) => {
    await expect(beginWith('directory', change)).rejects.toMatchObject(failed);
  });

  it.each([
    ['none', { authorization_servers: [] }],
    ['two', { authorization_servers: ['https://as.test', 'https://other.test'] }],
    ['one without https', { authorization_servers: ['http://as.test'] }],
    ['one with a path', { authorization_servers: ['https://as.test/tenant'] }],
    ['one for another server', { resource: 'https://pds.test' }],
  ])('is not contacted when that of the account names %s', async (_, change) => {
    await expect(beginWith('account', change)).rejects.toMatchObject(failed);
  });

  it.each([
    ['is another issuer', { issuer: 'https://auth.test' }],
    ['does not know pushed requests', { pushed_authorization_request_endpoint: undefined }],
    ['does not insist on pushed requests', { require_pushed_authorization_requests: false }],
    ['does not read client documents', { client_id_metadata_document_supported: undefined }],
    ['does not name its issuer in responses', { authorization_response_iss_parameter_supported: false }],
    ['does not know PKCE', { code_challenge_methods_supported: ['plain'] }],
    ['does not know DPoP', { dpop_signing_alg_values_supported: undefined }],
    ['does not know the scope', { scopes_supported: ['openid'] }],
    ['sends browsers to a script', { authorization_endpoint: 'javascript:alert(1)' }],
    ['sends browsers to http', { authorization_endpoint: 'http://auth.test/auth' }],
    ['is pushed to inside', { pushed_authorization_request_endpoint: 'https://inside.dev/par' }],
  ])('is rejected when its own document %s', async (_, change) => {
    await expect(beginWith('authorization', change)).rejects.toMatchObject(failed);
  });
});

describe('addresses inside the network of the site', () => {
  const did = 'did:plc:insideinsideinsideinside';
  const refused = { cause: { name: 'DisallowedAddressError' } };

  it.each(['inside.dev', 'loop.dev'])('are not contacted for the handle %s', async (handle) => {
    await expect(login().begin(handle)).rejects.toThrow('No account was found');
  });

  it.each(['did:web:inside.dev', 'did:web:loop.dev'])('are not contacted for the DID %s', async (inside) => {
    await expect(login().begin(inside)).rejects.toMatchObject(refused);
  });

  it.each([
    'https://127.0.0.1',
    'https://10.0.0.1',
    'https://[::1]',
    'https://169.254.169.254',
    'https://inside.dev',
    'https://pds.dev:8443',
  ])('are not contacted as the server of an account: %s', async (server) => {
    fake.addAccount({ did, server });
    await expect(login().begin(did)).rejects.toMatchObject(refused);
  });

  it.each(['https://192.168.0.1', 'https://inside.dev'])(
    'are not contacted as an issuer: %s',
    async (issuer) => {
      fake.addAccount({ did, server: 'https://lead.test' });
      fake.serveServer('https://lead.test', issuer);
      await expect(login().begin(did)).rejects.toMatchObject({ cause: { cause: refused.cause } });
    },
  );
});
