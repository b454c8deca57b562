/** A real OpenID provider in place of Google, for the black-box suites. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';

/**
 * The parameter `login_hint` of the authorization request is the account that signs in: its claims as base64url of
 * JSON, or `no` for a user who declines.
 * @returns its issuer.
 */
export async function startFakeOpenIdProvider({ clientId, clientSecret }) {
  const accounts = new Map();
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256', kid: 'test' };
  const configuration = {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: ['http://site.example/any'],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    // Like Google, the provider puts the claims of the user into the id token.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => accounts.get(sub) }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
  };
  const provider = await quietly(async () => {
    const { Provider } = await import('oidc-provider');
    return new Provider(issuer, configuration);
  });
  // Every site of the suites has another host.
  provider.Client.prototype.redirectUriAllowed = (uri) =>
    new URL(uri).pathname === '/_cms/api/auth/oauth/google/callback';
  const handle = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url.startsWith('/interaction/')) return handle(request, response);
    void interact(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });

  async function interact(request, response) {
    const { params } = await provider.interactionDetails(request, response);
    if (params.login_hint === 'no')
      return provider.interactionFinished(request, response, { error: 'access_denied' });
    const claims = JSON.parse(Buffer.from(params.login_hint, 'base64url').toString());
    accounts.set(claims.sub, claims);
    await provider.interactionFinished(request, response, { login: { accountId: claims.sub } });
  }

  return issuer;
}

/** Suppresses the warnings that the provider prints for production use and newer versions of Node.js. */
async function quietly(work) {
  const { info, warn } = console;
  Object.assign(console, { info() {}, warn() {} });
  try {
    return await work();
  } finally {
    Object.assign(console, { info, warn });
  }
}
