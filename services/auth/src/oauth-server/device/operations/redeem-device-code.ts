import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { tokenHash } from '../../../authentication/api-tokens/index.js';
import { lockGrantSubject } from '../../grant-subject.repository.js';
import { grantableScopes } from '../../scopes.policy.js';
import type { OAuthDeps } from '../../oauth-deps.js';
import { isOtherClient, issueGrant, type IssuedTokens } from '../../tokens/issue-grant.js';
import {
  deleteApprovedDevice,
  selectPolledDevice,
  updatePollTime,
  type PolledDevice,
} from '../device-codes.repository.js';

const pollIntervalStepSeconds = 5;
const maxPollIntervalSeconds = 60;

/**
 * Exchanges an approved device code for tokens, once (RFC 8628, 3.4).
 * @throws QuireError AUTHORIZATION_PENDING; SLOW_DOWN with the new interval for polls below the interval;
 *   ACCESS_DENIED, EXPIRED_TOKEN; INVALID_GRANT for an unknown or used code, and when no scope can be granted.
 */
export async function redeemDeviceCode(
  ctx: Context,
  deps: OAuthDeps,
  { deviceCode, clientId }: { deviceCode: string; clientId?: string | undefined },
): Promise<IssuedTokens> {
  const deviceHash = tokenHash(deviceCode);
  const device = await selectPolledDevice(ctx.db, deviceHash);
  if (!device || isOtherClient(device.clientId, clientId)) throw unknownDeviceError();
  if (device.isExpired) throw new QuireError('EXPIRED_TOKEN', 'The code has expired; start again');
  if (device.status === 'denied') throw new QuireError('ACCESS_DENIED', 'The user has denied access');
  if (device.status === 'pending') return rejectPendingPoll(ctx, deviceHash);
  return redeem(ctx, deps, { ...device, deviceHash });
}

/** Stores the time of the poll. @throws QuireError SLOW_DOWN below the interval, else AUTHORIZATION_PENDING. */
async function rejectPendingPoll(ctx: Context, deviceHash: string): Promise<never> {
  const poll = await updatePollTime(ctx.db, deviceHash, {
    stepSeconds: pollIntervalStepSeconds,
    maxSeconds: maxPollIntervalSeconds,
  });
  if (poll?.isTooSoon)
    throw new QuireError('SLOW_DOWN', 'Polled too soon', { details: { interval: poll.interval } });
  throw new QuireError('AUTHORIZATION_PENDING', 'The user has not decided yet');
}

async function redeem(
  ctx: Context,
  { audit }: OAuthDeps,
  { deviceHash, ...device }: PolledDevice & { deviceHash: string },
): Promise<IssuedTokens> {
  const tokens = await ctx.db.transaction(async (tx) => {
    const subject = await lockGrantSubject(tx, device.userId ?? '', device.clientId);
    const approvedScopes = await deleteApprovedDevice(tx, deviceHash);
    const scopes = approvedScopes && subject ? grantableScopes(approvedScopes, subject) : [];
    if (scopes.length === 0) return undefined;
    const { userId, clientId } = device;
    return issueGrant(tx, { ctx, audit }, { userId: userId ?? '', clientId, scopes, codeHash: null });
  });
  if (!tokens) throw unknownDeviceError();
  return tokens;
}

function unknownDeviceError(): QuireError {
  return new QuireError('INVALID_GRANT', 'The device code is unknown or used');
}
