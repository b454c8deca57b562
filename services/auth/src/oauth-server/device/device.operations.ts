import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { RateLimit } from '@quire/rate-limit';
import { hasPasskeys } from '../../authentication/passkeys/index.js';
import { enforceRateLimit } from '../../rate-limits/index.js';
import { deviceGrantType } from '../protocol.js';
import type { OAuthDeps } from '../oauth-deps.js';
import { grantableScopes, isSensitiveScope } from '../scopes.policy.js';
import type { IssuedTokens } from '../tokens/issue-grant.js';
import { redeemDeviceCode } from './operations/redeem-device-code.js';
import { getPendingDevice, isUnverifiedClient } from './pending-device.js';
import { formatUserCode } from './user-code.js';

const perMinute: RateLimit = { name: 'oauth-device-token', limit: 12, windowSeconds: 60 };

/** Content of the page for the decision on a device. */
export interface DeviceRequest {
  /** null when the application is not registered. */
  clientName: string | null;
  /** ISO time at which the application registered itself; null for others. */
  selfRegisteredAt: string | null;
  userCode: string;
  /** The requested scopes that the user's role may grant. */
  scopes: string[];
  /** The required proof of presence: sensitive scopes of an unverified client need one. */
  proof: 'none' | 'passkey' | 'sign-in';
}

/** @returns the pending device of a user code, as the user typed it. @throws QuireError INVALID_CODE, EXPIRED_CODE. */
export async function getDeviceRequest(ctx: Context, typedCode: string): Promise<DeviceRequest> {
  const device = await getPendingDevice(ctx, typedCode);
  const { clientName, clientScopes, selfRegisteredAt, userCode } = device;
  const scopes = grantableScopes(device.scopes, { role: ctx.principal.role, clientScopes });
  const needsProof = isUnverifiedClient(device) && scopes.some(isSensitiveScope);
  return {
    clientName,
    selfRegisteredAt,
    userCode: formatUserCode(userCode),
    scopes,
    proof: !needsProof ? 'none' : (await hasPasskeys(ctx)) ? 'passkey' : 'sign-in',
  };
}

/**
 * Polls for the tokens of a device at the device endpoint (contract 32).
 * @throws QuireError RATE_LIMITED, UNSUPPORTED_GRANT_TYPE, and as `redeemDeviceCode`.
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
