import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { selectRegisteredClient, type RegisteredClient } from '../../clients/clients.repository.js';
import { isRegistered, buildRedirectUri } from '../../clients/redirect-uri.policy.js';
import { isTrustedClient } from '../../clients/client-trust.js';
import { mayUseGrantType } from '../../grant-types.js';
import { limitToClientScopes, parseScopes } from '../../scopes.policy.js';
import type { AuthorizeQuery } from '../authorize.schemas.js';

/** What an application asks of a user, found to be in order. */
export interface AuthorizationRequest {
  client: RegisteredClient;
  redirectUri: string;
  /** Asked for and registered for the client; the user's role may hold fewer. */
  scopes: string[];
  challenge: string;
  state: string | undefined;
  resource: string | null;
}

/** A request that is in order, or the address at which the application is told what is wrong. */
export type ParsedAuthorizationRequest =
  { kind: 'request'; request: AuthorizationRequest } | { kind: 'rejected'; location: string };

const s256Challenge = /^[A-Za-z0-9_-]{43}$/;

/**
 * Reads what an application asks for (RFC 6749, 4.1.1; RFC 7636). Without a client and an address of it that are known,
 * the user is told of a fault; otherwise the application is. One that registered itself and that nobody has let in is
 * told nothing: anybody could lead visitors of this site to an address of their own (RFC 9700, 4.11.2).
 * @throws QuireError INVALID_REQUEST when nobody may be redirected, and when no known scope is asked for.
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
  const fault = faultOf(query, client);
  if (fault && !client.hasConsent && !isTrustedClient(client))
    throw new QuireError('INVALID_REQUEST', fault.error_description);
  if (fault) return { kind: 'rejected', location: buildRedirectUri(redirectUri, { ...fault, state }) };
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
      resource: query.resource ?? null,
    },
  };
}

function faultOf(
  query: AuthorizeQuery,
  { grantTypes }: RegisteredClient,
): { error: string; error_description: string } | undefined {
  const { response_type: type, code_challenge: challenge, code_challenge_method: method = 'S256' } = query;
  if (type === undefined) return fault('invalid_request', 'response_type: is required');
  if (type !== 'code') return fault('unsupported_response_type', 'response_type: must be code');
  if (!mayUseGrantType(grantTypes, 'authorization_code'))
    return fault('unauthorized_client', 'client_id: this application is not registered for this grant');
  if (challenge === undefined) return fault('invalid_request', 'code_challenge: is required');
  if (method !== 'S256') return fault('invalid_request', 'code_challenge_method: must be S256');
  if (!s256Challenge.test(challenge))
    return fault('invalid_request', 'code_challenge: is not a SHA-256 hash');
  return undefined;
}

const fault = (error: string, description: string) => ({ error, error_description: description });
