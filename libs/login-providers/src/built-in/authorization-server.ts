import * as client from 'openid-client';
import type { CompleteRequest, ProviderContext, Query } from '../descriptor/login-provider.js';
import { LoginProviderError } from '../descriptor/login-provider-error.js';

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The variables of the two built-in providers. */
export const clientVariables = ['CLIENT_ID', 'CLIENT_SECRET'] as const;

/**
 * The address of an authorization server, without a trailing slash.
 * @throws Error for other addresses than https; plain http is only for a server on the same machine
 */
export function serverAddress(option: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isFit = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopbackHosts.has(url.hostname));
  if (!isFit) throw new Error(`${option}: must be an https address`);
  return text.replace(/\/+$/, '');
}

/** Applies Quire's limits to the client of a server; plain http works where `serverAddress` allows it. */
export function withLimits(
  configuration: client.Configuration,
  { fetch }: ProviderContext,
): client.Configuration {
  configuration[client.customFetch] = fetch as client.CustomFetch;
  const { issuer } = configuration.serverMetadata();
  if (issuer.startsWith('http:')) client.allowInsecureRequests(configuration);
  return configuration;
}

/** Credentials of this site at the server. */
export function credentialsOf({ variables }: ProviderContext): { id: string; secret: string } {
  const { CLIENT_ID: id, CLIENT_SECRET: secret } = variables;
  if (id === undefined || secret === undefined)
    throw new Error('The provider is called without its variables');
  return { id, secret };
}

/** The address of a login with PKCE, and the verifier for `exchangeCode`. */
export async function authorizationRequest(
  configuration: client.Configuration,
  { callbackUrl }: ProviderContext,
  parameters: Record<'scope' | 'state', string> & Record<string, string>,
): Promise<{ url: URL; verifier: string }> {
  const verifier = client.randomPKCECodeVerifier();
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackUrl,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...parameters,
  });
  return { url, verifier };
}

/**
 * Exchanges the code of a callback for tokens.
 * @param checks further checks of the response, in addition to PKCE and `state`
 * @throws LoginProviderError invalid_callback when there is no code, token_exchange_failed
 */
export async function exchangeCode(
  configuration: client.Configuration,
  context: ProviderContext,
  { query, state, kept }: CompleteRequest,
  { label, ...checks }: { label: string } & client.AuthorizationCodeGrantChecks,
): ReturnType<typeof client.authorizationCodeGrant> {
  const callback = callbackOf(context, query);
  const pkceCodeVerifier = String(kept['verifier']);
  try {
    return await client.authorizationCodeGrant(configuration, callback, {
      ...checks,
      pkceCodeVerifier,
      expectedState: state,
    });
  } catch (cause) {
    throw new LoginProviderError('token_exchange_failed', `${label} did not confirm the login`, { cause });
  }
}

/** The address of the callback with the server's response. */
function callbackOf({ callbackUrl }: ProviderContext, query: Query): URL {
  if (!query['code']) throw new LoginProviderError('invalid_callback', 'The login came back incomplete');
  const url = new URL(callbackUrl);
  url.search = new URLSearchParams(query).toString();
  return url;
}
