import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { selectRegisteredClient, type RegisteredClient } from '../../clients/clients.repository.js';
import { isRegistered, buildRedirectUri } from '../../clients/redirect-uri.policy.js';
import { isTrustedClient } from '../../clients/clients.operations.js';
import { issuerOf, mayUseGrantType, resourceOf } from '../../protocol.js';
import { limitToClientScopes, parseScopes } from '../../scopes.policy.js';
import type { AuthorizeQuery } from '../authorize.schemas.js';

/** A valid authorization request. */
export interface AuthorizationRequest {
  client: RegisteredClient;
  redirectUri: string;
  /** Requested scopes that the client is registered for; the user's role may grant fewer. */
  scopes: string[];
  challenge: string;
  state: string | undefined;
  /** Identifier of this server, for the response. */
  iss: string;
  resource: string | null;
}

/** A valid request, or the redirect URI with an error response (RFC 6749, 4.1.2.1). */
export type ParsedAuthorizationRequest =
  { kind: 'request'; request: AuthorizationRequest } | { kind: 'rejected'; location: string };

const s256Challenge = /^[A-Za-z0-9_-]{43}$/;

/**
 * Validates an authorization request (RFC 6749, 4.1.1; RFC 7636; RFC 8707, 2.1): the MCP server is the only resource.
 * With a registered client and redirect URI, errors are redirected to the application; otherwise they are shown to the
 * user. Errors are also shown for a self-registered client without approval and consent: its redirect URI would make
 * this site an open redirector (RFC 9700, 4.11.2).
 * @throws QuireError INVALID_REQUEST for an error that is not redirected, and when no known scope is requested.
 */
export async function parseAuthorizationRequest(
  ctx: Context,
  query: AuthorizeQuery,
): Promise<ParsedAuthorizationRequest> {
  const { client_id: clientId, redirect_uri: redirectUri, state } = query;
  const client = await selectRegisteredClient(ctx.db, clientId ?? '');
  if (!client) throw new QuireError('INVALID_REQUEST', 'client_id: unknown application');
  if (redirectUri === undefined || !isRegistered(redirectUri, client.redirectUris))
    throw new QuireError('INVALID_REQUEST', 'redirect_uri: is not registered for this application');
  const origin = ctx.origin ?? '';
  const iss = issuerOf(origin);
  const error = findError(query, client, resourceOf(origin));
  if (error && !client.hasConsent && !isTrustedClient(client))
    throw new QuireError('INVALID_REQUEST', error.error_description);
  if (error) return { kind: 'rejected', location: buildRedirectUri(redirectUri, { ...error, state, iss }) };
  const requested = query.scope === undefined ? (client.scopes ?? []) : parseScopes(query.scope);
  if (requested.length === 0) throw new QuireError('INVALID_REQUEST', 'scope: contains no known scope');
  return {
    kind: 'request',
    request: {
      client,
      redirectUri,
      scopes: limitToClientScopes(requested, client.scopes),
      challenge: query.code_challenge ?? '',
      state,
      iss,
      resource: query.resource ?? null,
    },
  };
}

function findError(
  query: AuthorizeQuery,
  { grantTypes }: RegisteredClient,
  endpoint: string,
): { error: string; error_description: string } | undefined {
  const { response_type: type, code_challenge: challenge, code_challenge_method: method = 'S256' } = query;
  if (type === undefined) return errorResponse('invalid_request', 'response_type: is required');
  if (type !== 'code') return errorResponse('unsupported_response_type', 'response_type: must be code');
  if (!mayUseGrantType(grantTypes, 'authorization_code'))
    return errorResponse(
      'unauthorized_client',
      'client_id: this application is not registered for this grant',
    );
  if (challenge === undefined) return errorResponse('invalid_request', 'code_challenge: is required');
  if (method !== 'S256') return errorResponse('invalid_request', 'code_challenge_method: must be S256');
  if (!s256Challenge.test(challenge))
    return errorResponse('invalid_request', 'code_challenge: is not a SHA-256 hash');
  if (query.resource !== undefined && query.resource !== endpoint)
    return errorResponse('invalid_target', `resource: must be ${endpoint} (invalid_target)`);
  return undefined;
}

const errorResponse = (error: string, description: string) => ({ error, error_description: description });
