import { beforeAll, describe, expect, it } from '@jest/globals';
import { openApplication, statusAndCode, useSite } from '@quire/testing';
import * as oauth from 'openid-client';
import { siteFetch } from './support.js';

const site = useSite();
let origin: string;

beforeAll(async () => {
  origin = `http://${site.host}`;
  await site.collection();
});

const options = () =>
  ({
    algorithm: 'oauth2',
    execute: [oauth.allowInsecureRequests],
    [oauth.customFetch]: siteFetch(site),
  }) as const satisfies oauth.DiscoveryRequestOptions;

describe('discovery documents (contract 34)', () => {
  it('contain the site’s own port for a request with another port', async () => {
    const path = '/.well-known/oauth-authorization-server/_cms';
    const { body } = await site.anonymous(`${site.host}:6666`).get(path);
    expect(body).toMatchObject({
      issuer: `http://${site.host}/_cms`,
      token_endpoint: `http://${site.host}/_cms/api/oauth/token`,
    });
  });

  it.each(['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/_cms/api/mcp'])(
    'GET %s returns the resource and its authorization server',
    async (path) => {
      const { status, body, headers } = await site.anonymous().get(path);
      expect([status, body]).toEqual([
        200,
        {
          resource: `${origin}/_cms/api/mcp`,
          authorization_servers: [`${origin}/_cms`],
          scopes_supported: expect.arrayContaining(['content:read', 'mcp:tools', 'admin']),
          bearer_methods_supported: ['header'],
        },
      ]);
      expect((body as { scopes_supported: string[] }).scopes_supported).toHaveLength(15);
      expect([headers.get('cache-control'), headers.get('access-control-allow-origin')]).toEqual([
        'public, max-age=3600',
        '*',
      ]);
    },
  );

  it('contain the endpoints of the authorization server and their capabilities', async () => {
    const { body, headers } = await site.anonymous().get('/.well-known/oauth-authorization-server/_cms');
    expect(body).toMatchObject({
      issuer: `${origin}/_cms`,
      authorization_endpoint: `${origin}/_cms/oauth/authorize`,
      token_endpoint: `${origin}/_cms/api/oauth/token`,
      registration_endpoint: `${origin}/_cms/api/oauth/register`,
      device_authorization_endpoint: `${origin}/_cms/api/oauth/device/code`,
      revocation_endpoint: `${origin}/_cms/api/oauth/token/revoke`,
      response_types_supported: ['code'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
    });
    expect(headers.get('cache-control')).toBe('public, max-age=3600');
  });

  it.each([
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/_cms/api/mcp',
    '/.well-known/oauth-authorization-server/_cms',
  ])('OPTIONS %s allows the header of MCP clients to scripts of other origins', async (path) => {
    const headers = {
      origin: 'https://client.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'mcp-protocol-version',
    };
    const preflight = await site.anonymous().options(path, { headers });
    expect([preflight.status, preflight.text]).toEqual([204, '']);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, OPTIONS',
      'access-control-allow-headers': 'Content-Type, MCP-Protocol-Version',
      'access-control-max-age': '86400',
    });
  });

  it('contain the sign-in methods for the command line', async () => {
    const { body, headers } = await site.anonymous().get('/_cms/.well-known/auth');
    expect(body).toEqual({
      instance: { name: site.host, version: expect.any(String) },
      auth: {
        mode: 'passkey',
        methods: {
          device_flow: {
            client_id: 'cms-cli',
            device_authorization_endpoint: '/_cms/api/oauth/device/code',
            token_endpoint: '/_cms/api/oauth/device/token',
          },
          authorization_code: {
            authorization_endpoint: '/_cms/oauth/authorize',
            token_endpoint: '/_cms/api/oauth/token',
          },
          api_tokens: true,
        },
      },
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('return 404 NOT_FOUND for other paths', async () => {
    expect(statusAndCode(await site.anonymous().get('/.well-known/openid-configuration'))).toEqual([
      404,
      'NOT_FOUND',
    ]);
  });
});

describe('standard client library (openid-client)', () => {
  it('registers, gets consent, refreshes and revokes', async () => {
    const redirectUri = 'https://app.example/callback';
    const config = await oauth.dynamicClientRegistration(
      new URL(`${origin}/_cms`),
      { redirect_uris: [redirectUri], client_name: 'Library', token_endpoint_auth_method: 'none' },
      oauth.None(),
      options(),
    );
    const verifier = oauth.randomPKCECodeVerifier();
    const state = oauth.randomState();
    const address = oauth.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'content:read content:write media:read',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    });
    const { requestConsent } = await openApplication(site);
    const { send } = await requestConsent(
      await site.signedIn('editor'),
      Object.fromEntries(address.searchParams),
    );
    const back = new URL(
      (await send({ scopes: ['content:read', 'media:read'] })).headers.get('location') ?? '',
    );
    const tokens = await oauth.authorizationCodeGrant(config, back, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });
    expect(tokens).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      scope: 'content:read media:read',
    });
    expect((await site.withToken(tokens.access_token).get('/content/posts')).status).toBe(200);
    const refreshed = await oauth.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect((await site.withToken(refreshed.access_token).get('/content/posts')).status).toBe(200);
    await oauth.tokenRevocation(config, tokens.refresh_token ?? '');
    await expect(oauth.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('authorizes a device', async () => {
    const config = await oauth.discovery(
      new URL(`${origin}/_cms`),
      'cms-cli',
      undefined,
      oauth.None(),
      options(),
    );
    const device = await oauth.initiateDeviceAuthorization(config, { scope: 'content:read' });
    const browser = await site.signedIn('editor');
    await browser.post('/oauth/device/authorize', { user_code: device.user_code });
    const tokens = await oauth.pollDeviceAuthorizationGrant(config, { ...device, interval: 1 });
    expect((await site.withToken(tokens.access_token).get('/content/posts')).status).toBe(200);
  });
});
