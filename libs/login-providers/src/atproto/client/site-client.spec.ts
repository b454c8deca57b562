import {
  assertOAuthDiscoverableClientId,
  oauthClientMetadataSchema,
  parseOAuthLoopbackClientId,
} from '@atproto/oauth-types';
import { describe, expect, it } from '@jest/globals';
import { clientMetadata, siteClient } from './site-client.js';

function siteAt(origin: string) {
  const routesUrl = `${origin}/_cms/api/auth/oauth/atproto`;
  return { origin, routesUrl, callbackUrl: `${routesUrl}/callback` };
}

// Validated by the protocol's own schemas.
describe('siteClient of a site reached over https', () => {
  const site = siteAt('https://example.com');

  it('has the address of its metadata document as its id', () => {
    const client = siteClient(site);
    expect(client).toEqual({
      clientId: 'https://example.com/_cms/api/auth/oauth/atproto/client-metadata.json',
      redirectUri: 'https://example.com/_cms/api/auth/oauth/atproto/callback',
    });
    expect(() => assertOAuthDiscoverableClientId(client?.clientId as string)).not.toThrow();
  });

  it('has a metadata document that conforms to the protocol, without a secret', () => {
    const document = clientMetadata(site);
    expect(oauthClientMetadataSchema.parse(document)).toMatchObject(document);
    expect(document).toMatchObject({
      client_id: siteClient(site)?.clientId,
      redirect_uris: [siteClient(site)?.redirectUri],
      scope: 'atproto',
      token_endpoint_auth_method: 'none',
      dpop_bound_access_tokens: true,
    });
  });
});

describe('siteClient of a site on a developer’s machine', () => {
  it.each([
    ['http://127.0.0.1:4321', 'http://127.0.0.1:4321/_cms/api/auth/oauth/atproto/callback'],
    ['http://[::1]:4321', 'http://[::1]:4321/_cms/api/auth/oauth/atproto/callback'],
    ['http://localhost:4321', 'http://127.0.0.1:4321/_cms/api/auth/oauth/atproto/loopback'],
  ])('has its redirect address in its id: %s', (origin, redirectUri) => {
    const client = siteClient(siteAt(origin));
    expect(client?.redirectUri).toBe(redirectUri);
    const named = parseOAuthLoopbackClientId(client?.clientId as string);
    expect(named).toEqual({ redirect_uris: [redirectUri], scope: 'atproto' });
  });
});

it('is undefined for a site reached over http elsewhere', () => {
  expect(siteClient(siteAt('http://10.0.0.5:4321'))).toBeUndefined();
});
