import { hostedApiOrigin } from '@quire/import-sources';
import type { GuardedFetch } from '@quire/outgoing-http';
import { isHttpUrl } from '@quire/values';
import { z } from 'zod';
import { ConnectionError } from './connection-error.js';
import { accessTokenSchema } from './connections.schemas.js';

const tokenEndpoint = `${hostedApiOrigin}/oauth2/token`;

const tokenSchema = z.object({
  access_token: accessTokenSchema,
  token_type: z.string().regex(/^bearer$/i),
  blog_id: z.coerce
    .string()
    .regex(/^[1-9]\d{0,18}$/)
    .optional()
    .catch(undefined),
  blog_url: z.string().max(2_048).refine(isHttpUrl).optional().catch(undefined),
});

/** The OAuth client at the provider. */
export interface OAuthClient {
  /** Must not follow redirects, because requests have the client secret. */
  fetch: GuardedFetch;
  clientId: string;
  clientSecret: string;
}

/** An authorization code, with the values of its authorization request. */
export interface CodeToExchange {
  code: string;
  redirectUri: string;
  codeVerifier: string;
}

/** An access token, with the site that it is valid for where the provider gives it. */
export interface GrantedAccess {
  accessToken: string;
  siteId: string | undefined;
  siteUrl: string | undefined;
}

/**
 * Exchanges an authorization code for an access token (RFC 6749, 4.1.3; RFC 7636, 4.5).
 * @throws ConnectionError token_exchange_failed, provider_timeout, provider_unavailable. Its cause has no data that was
 *   sent or received.
 */
export async function exchangeCode(
  { fetch, clientId, clientSecret }: OAuthClient,
  { code, redirectUri, codeVerifier }: CodeToExchange,
): Promise<GrantedAccess> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: clientId,
    client_secret: clientSecret,
    code_verifier: codeVerifier,
  });
  const { status, value } = await send(fetch, body);
  if (status >= 500 || status === 429)
    throw new ConnectionError(
      'provider_unavailable',
      'The hosted edition is currently unavailable; try again later',
    );
  const parsed = tokenSchema.safeParse(value);
  if (status >= 400 || !parsed.success)
    throw new ConnectionError('token_exchange_failed', 'The hosted edition did not confirm the access', {
      cause: new Error(`the token endpoint responded with ${status}`),
    });
  const { access_token: accessToken, blog_id: siteId, blog_url: siteUrl } = parsed.data;
  return { accessToken, siteId, siteUrl };
}

/** @returns the status, and the JSON of the body; undefined for a body of another kind */
async function send(fetch: GuardedFetch, body: URLSearchParams): Promise<{ status: number; value: unknown }> {
  try {
    const headers = { accept: 'application/json' };
    const response = await fetch(tokenEndpoint, { method: 'POST', headers, body });
    return { status: response.status, value: parseJson(await response.text()) };
  } catch (error) {
    const { name } = error as Error;
    const cause = new Error(`the token endpoint did not respond: ${name}`);
    if (name === 'TimeoutError')
      throw new ConnectionError('provider_timeout', 'The hosted edition did not respond in time', { cause });
    throw new ConnectionError(
      'provider_unavailable',
      'The hosted edition is not reachable; try again later',
      {
        cause,
      },
    );
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
