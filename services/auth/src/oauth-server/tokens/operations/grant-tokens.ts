import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { redeemDeviceCode } from '../../device/operations/redeem-device-code.js';
import { deviceGrantType, resourceOf } from '../../protocol.js';
import type { OAuthDeps } from '../../oauth-deps.js';
import type { IssuedTokens } from '../issue-grant.js';
import type { TokenRequest } from '../tokens.schemas.js';
import { exchangeCode, consumeCode, type PresentedCode } from './exchange-code.js';
import { refreshOAuthToken } from './refresh-oauth-token.js';

/**
 * Issues tokens at the token endpoint for an authorization code, a refresh token or a device code (RFC 6749, 3.2).
 * @throws QuireError UNSUPPORTED_GRANT_TYPE, INVALID_REQUEST for a missing parameter, INVALID_TARGET, and the errors
 *   of the grant type.
 */
export async function grantTokens(
  ctx: Context,
  deps: OAuthDeps,
  request: TokenRequest,
): Promise<IssuedTokens> {
  const { grant_type: type, client_id: clientId } = request;
  if (type !== 'authorization_code') assertResource(ctx, request);
  switch (type) {
    case 'authorization_code':
      return exchangeCode(ctx, deps, await presentedCode(ctx, request));
    case 'refresh_token': {
      const refreshToken = requiredParam(request, 'refresh_token');
      return refreshOAuthToken(ctx, deps, { refreshToken, clientId, scope: request.scope });
    }
    case deviceGrantType:
      return redeemDeviceCode(ctx, deps, { deviceCode: requiredParam(request, 'device_code'), clientId });
    default:
      throw new QuireError('UNSUPPORTED_GRANT_TYPE', `grant_type: '${type}' is not supported`);
  }
}

/** @throws QuireError INVALID_REQUEST or INVALID_TARGET, which also consumes the code (mcp-tools 15). */
async function presentedCode(ctx: Context, request: TokenRequest): Promise<PresentedCode> {
  const code = requiredParam(request, 'code');
  try {
    assertResource(ctx, request);
    return {
      code,
      redirectUri: requiredParam(request, 'redirect_uri'),
      clientId: requiredParam(request, 'client_id'),
      verifier: validVerifier(requiredParam(request, 'code_verifier')),
      resource: request.resource,
    };
  } catch (error) {
    await consumeCode(ctx, code);
    throw error;
  }
}

/** @throws QuireError INVALID_TARGET for another resource than the MCP server of the site (RFC 8707, 2.2). */
function assertResource({ origin }: Context, { resource }: TokenRequest): void {
  const endpoint = resourceOf(origin ?? '');
  if (resource === undefined || resource === endpoint) return;
  throw new QuireError('INVALID_TARGET', `resource: must be ${endpoint}`);
}

/** @throws QuireError INVALID_REQUEST for an invalid code verifier (RFC 7636, 4.1). */
function validVerifier(verifier: string): string {
  if (/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return verifier;
  throw new QuireError('INVALID_REQUEST', 'code_verifier: must be 43 to 128 unreserved characters');
}

function requiredParam(request: TokenRequest, name: keyof TokenRequest): string {
  const value = request[name];
  if (value === undefined || value === '') throw new QuireError('INVALID_REQUEST', `${name}: is required`);
  return value;
}
