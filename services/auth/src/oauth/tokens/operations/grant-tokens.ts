import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { redeemDeviceCode } from '../../device/operations/redeem-device-code.js';
import type { OAuthServices } from '../../oauth-services.js';
import type { IssuedTokens } from '../issue-grant.js';
import { deviceGrantType, type TokenRequest } from '../tokens.schemas.js';
import { exchangeCode } from './exchange-code.js';
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
      return exchangeCode(ctx, services, {
        code: needed(request, 'code'),
        redirectUri: needed(request, 'redirect_uri'),
        clientId: needed(request, 'client_id'),
        verifier: needed(request, 'code_verifier'),
        resource: request.resource,
      });
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

function needed(request: TokenRequest, name: keyof TokenRequest): string {
  const value = request[name];
  if (value === undefined || value === '') throw new QuireError('INVALID_REQUEST', `${name}: is required`);
  return value;
}
