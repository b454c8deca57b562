import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import {
  assertUserPresent,
  type AuthenticationCredential,
  type PasskeyDeps,
} from '../../../authentication/passkeys/index.js';
import { recordConsent } from '../../clients/clients.operations.js';
import { lockGrantSubject } from '../../grant-subject.repository.js';
import type { OAuthDeps } from '../../oauth-deps.js';
import { grantableScopes, isSensitiveScope } from '../../scopes.policy.js';
import { updateDecision } from '../device-codes.repository.js';
import { getPendingDevice, isUnverifiedClient, unknownCodeError } from '../pending-device.js';

/**
 * Approves or denies a device for the signed-in user, with the scopes that their role may grant. Of concurrent
 * decisions the first one counts (contract 32). Sensitive scopes for an unverified client need a passkey (decision 57).
 * @returns whether the device is approved.
 * @throws QuireError INVALID_CODE, also for a code that is already decided, EXPIRED_CODE, INSUFFICIENT_ROLE,
 *   REAUTHENTICATION_REQUIRED, UNAUTHORIZED.
 */
export async function decideOAuthDevice(
  ctx: Context,
  deps: { oauth: OAuthDeps; passkeys: PasskeyDeps },
  decision: {
    userCode: string;
    action: 'approve' | 'deny';
    credential?: AuthenticationCredential | undefined;
  },
): Promise<boolean> {
  const { userCode, action, credential } = decision;
  const device = await getPendingDevice(ctx, userCode);
  const { role } = ctx.principal;
  const userId = ctx.principal.userId ?? '';
  const requested = grantableScopes(device.scopes, { role, clientScopes: device.clientScopes });
  if (action === 'approve' && isUnverifiedClient(device) && requested.some(isSensitiveScope))
    await assertUserPresent(ctx, deps.passkeys, credential);
  return ctx.db.transaction(async (tx) => {
    let { scopes } = device;
    if (action === 'approve') {
      const subject = await lockGrantSubject(tx, userId, device.clientId);
      scopes = subject ? grantableScopes(requested, subject) : [];
      if (scopes.length === 0)
        throw new QuireError('INSUFFICIENT_ROLE', 'Your role allows nothing that the device asks for');
    }
    const status = action === 'approve' ? 'approved' : 'denied';
    if (!(await updateDecision(tx, device.deviceHash, { status, userId, scopes }))) throw unknownCodeError();
    if (action === 'approve' && device.clientId !== null)
      await recordConsent(tx, { ctx, audit: deps.oauth.audit }, device.clientId);
    return action === 'approve';
  });
}
