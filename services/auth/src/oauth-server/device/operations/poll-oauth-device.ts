import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { RateLimit } from '@quire/rate-limit';
import { enforceRateLimit } from '../../../rate-limits/index.js';
import type { OAuthDeps } from '../../oauth-deps.js';
import { deviceGrantType } from '../../grant-types.js';
import type { IssuedTokens } from '../../tokens/issue-grant.js';
import { redeemDeviceCode } from './redeem-device-code.js';

const perMinute: RateLimit = { name: 'oauth-device-token', limit: 12, windowSeconds: 60 };

/**
 * Polls at the endpoint that is for devices alone.
 * @throws QuireError RATE_LIMITED, UNSUPPORTED_GRANT_TYPE, and what `redeemDeviceCode` throws.
 */
export async function pollOAuthDevice(
  ctx: Context,
  deps: OAuthDeps,
  poll: { grantType: string; deviceCode: string; clientId?: string | undefined },
): Promise<IssuedTokens> {
  await enforceRateLimit(ctx, deps.limiter, perMinute);
  if (poll.grantType !== deviceGrantType)
    throw new QuireError('UNSUPPORTED_GRANT_TYPE', `grant_type: must be ${deviceGrantType}`);
  return redeemDeviceCode(ctx, deps, poll);
}
