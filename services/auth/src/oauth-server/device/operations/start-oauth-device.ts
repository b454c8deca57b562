import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { RateLimit } from '@quire/rate-limit';
import { pagePaths } from '@quire/ui';
import { enforceRateLimit } from '../../../rate-limits/index.js';
import { tokenHash } from '../../../authentication/api-tokens/index.js';
import { deviceGrantType, mayUseGrantType } from '../../protocol.js';
import { selectRegisteredClient } from '../../clients/clients.repository.js';
import type { OAuthDeps } from '../../oauth-deps.js';
import { limitToClientScopes, parseScopes } from '../../scopes.policy.js';
import { generateSecret } from '../../tokens/oauth-token-generator.js';
import { deleteExpiredDeviceCodes, insertDeviceCode } from '../device-codes.repository.js';
import { generateUserCode, formatUserCode } from '../user-code.js';

const perMinute: RateLimit = { name: 'oauth-device-code', limit: 10, windowSeconds: 60 };
const defaultScopes = 'content:read content:write media:read media:write schema:read';
const lifetimeSeconds = 900;
const intervalSeconds = 5;
const maxAttempts = 5;

/** Response to a device (RFC 8628, 3.2). */
export interface StartedDevice {
  device_code: string;
  user_code: string;
  verification_uri: string;
  expires_in: number;
  interval: number;
}

/**
 * Starts the device flow. An unregistered client id counts as no client: its scopes are not limited.
 * @throws QuireError RATE_LIMITED; UNAUTHORIZED_CLIENT for a client that is registered for other grants only;
 *   INVALID_SCOPE when no scope can be granted.
 */
export async function startOAuthDevice(
  ctx: Context,
  { limiter }: OAuthDeps,
  requested: { clientId?: string | undefined; scope?: string | undefined },
): Promise<StartedDevice> {
  await enforceRateLimit(ctx, limiter, perMinute);
  const client = await selectRegisteredClient(ctx.db, requested.clientId ?? '');
  if (client && !mayUseGrantType(client.grantTypes, deviceGrantType))
    throw new QuireError('UNAUTHORIZED_CLIENT', 'client_id: this application is not registered for devices');
  const scopes = limitToClientScopes(parseScopes(requested.scope ?? defaultScopes), client?.scopes ?? null);
  if (scopes.length === 0)
    throw new QuireError('INVALID_SCOPE', 'scope: contains no scope that can be granted');
  await deleteExpiredDeviceCodes(ctx.db);
  const deviceCode = generateSecret();
  const userCode = await insertDevice(ctx, {
    deviceHash: tokenHash(deviceCode),
    clientId: client?.id ?? null,
    scopes,
  });
  return {
    device_code: deviceCode,
    user_code: formatUserCode(userCode),
    verification_uri: `${ctx.origin}${pagePaths.device}`,
    expires_in: lifetimeSeconds,
    interval: intervalSeconds,
  };
}

/** Inserts the device with an unused user code. @returns the code. */
async function insertDevice(
  ctx: Context,
  device: { deviceHash: string; clientId: string | null; scopes: string[] },
): Promise<string> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const userCode = generateUserCode();
    const row = { ...device, userCode, intervalSeconds };
    if (await insertDeviceCode(ctx.db, row, lifetimeSeconds)) return userCode;
  }
  throw new Error('No free user code was found');
}
