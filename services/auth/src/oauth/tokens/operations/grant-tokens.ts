import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { redeemDeviceCode } from '../../device/operations/redeem-device-code.js';
import { deviceGrantType } from '../../grant-types.js';
import type { OAuthServices } from '../../oauth-services.js';
import type { IssuedTokens } from '../issue-grant.js';
import type { TokenRequest } from '../tokens.schemas.js';
import { exchangeCode, spendCode, type PresentedCode } from './exchange-code.js';
import { refreshTokens } from './refresh-tokens.js';

/**
 * The token endpoint (RFC 6749, 3.2): an authorization code, a refresh token or a device code for tokens.
 * @throws QuireError UNSUPPORTED_GRANT_TYPE, INVALID_REQUEST for a parameter that the grant needs, and the grant's own.
 */
export async function grantTokens(
  ctx: Context,
  services: OAuthServices,
  request: TokenRequest,
): Promise<IssuedTokens> {
  const { grant_type: type, client_id: clientId } = request;
  switch (type) {
    case 'authorization_code':
      return exchangeCode(ctx, services, await presentedCode(ctx, request));
    case 'refresh_token': {
      const refreshToken = needed(request, 'refresh_token');
      return refreshTokens(ctx, services, { refreshToken, clientId, scope: request.scope });
    }
    case deviceGrantType:
      return redeemDeviceCode(ctx, services, { deviceCode: needed(request, 'device_code'), clientId });
    default:
      throw new QuireError('UNSUPPORTED_GRANT_TYPE', `grant_type: '${type}' is not supported`);
  }
}

/** @throws QuireError INVALID_REQUEST; the code is spent by that as well (mcp-tools 15). */
async function presentedCode(ctx: Context, request: TokenRequest): Promise<PresentedCode> {
  const code = needed(request, 'code');
  try {
    return {
      code,
      redirectUri: needed(request, 'redirect_uri'),
      clientId: needed(request, 'client_id'),
      verifier: soundVerifier(needed(request, 'code_verifier')),
      resource: request.resource,
    };
  } catch (error) {
    await spendCode(ctx, code);
    throw error;
  }
}

/** RFC 7636, 4.1. */
function soundVerifier(verifier: string): string {
  if (/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return verifier;
  throw new QuireError('INVALID_REQUEST', 'code_verifier: must be 43 to 128 unreserved characters');
}

function needed(request: TokenRequest, name: keyof TokenRequest): string {
  const value = request[name];
  if (value === undefined || value === '') throw new QuireError('INVALID_REQUEST', `${name}: is required`);
  return value;
}
