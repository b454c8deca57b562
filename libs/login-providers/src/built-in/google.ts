import * as client from 'openid-client';
import type { LoginProvider, ProviderContext, ProviderIdentity } from '../descriptor/login-provider.js';
import { LoginProviderError } from '../descriptor/login-provider-error.js';
import {
  authorizationRequest,
  withLimits,
  clientVariables,
  credentialsOf,
  exchangeCode,
  serverAddress,
} from './authorization-server.js';

const metadataLifetimeMs = 3_600_000;

/**
 * Google accounts, by OpenID Connect with PKCE and a nonce. The id token's signature is checked too.
 * @param options.issuer another OpenID provider that is compatible with Google
 * @throws Error when the issuer is no https address
 */
export function google({ issuer = 'https://accounts.google.com' }: { issuer?: string } = {}): LoginProvider {
  const server = knownServer(serverAddress('google: issuer', issuer));
  return {
    id: 'google',
    label: 'Google',
    environment: clientVariables,
    setup: true,
    begin: async (context, { state }) => {
      const configuration = await server(context);
      const nonce = client.randomNonce();
      const parameters = { scope: 'openid email profile', state, nonce };
      const { url, verifier } = await authorizationRequest(configuration, context, parameters);
      return { url, kept: { verifier, nonce } };
    },
    complete: async (context, request) => {
      const tokens = await exchangeCode(await server(context), context, request, {
        label: 'Google',
        expectedNonce: String(request.kept['nonce']),
        idTokenExpected: true,
      });
      return identityOf(tokens.claims());
    },
  };
}

/** Discovers the server's metadata and caches them for an hour. A failure is not cached. */
function knownServer(issuer: string): (context: ProviderContext) => Promise<client.Configuration> {
  let known: { configuration: client.Configuration; until: number } | undefined;
  return async (context) => {
    if (known && known.until > Date.now()) return known.configuration;
    const { id, secret } = credentialsOf(context);
    const configuration = await client
      .discovery(new URL(issuer), id, secret, undefined, {
        [client.customFetch]: context.fetch as client.CustomFetch,
        execute: issuer.startsWith('http:') ? [client.allowInsecureRequests] : [],
      })
      .catch((cause: unknown) => {
        throw new LoginProviderError('oauth_error', 'Google is unavailable. Retry later.', { cause });
      });
    client.enableNonRepudiationChecks(withLimits(configuration, context));
    known = { configuration, until: Date.now() + metadataLifetimeMs };
    return configuration;
  };
}

/** @throws LoginProviderError profile_fetch_failed without an address: these accounts all have one */
function identityOf(claims: client.IDToken | undefined): ProviderIdentity {
  if (typeof claims?.['email'] !== 'string')
    throw new LoginProviderError('profile_fetch_failed', 'Google did not return the account');
  const { sub, email, email_verified: isVerified, name } = claims;
  return {
    accountId: sub,
    email: { address: email as string, isVerified: isVerified === true },
    name: typeof name === 'string' ? name : null,
  };
}
