import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { lockGrantBasis } from '../../grant-basis.js';
import { grantableScopes } from '../../scopes.policy.js';
import { findWaitingDevice, unknownCode } from '../waiting-device.js';

/**
 * Lets a device in, as the signed-in user and with no more scopes than his role may give, or turns it away. Of several who
 * decide at once, the first does (contract 32).
 * @returns whether the device is let in.
 * @throws QuireError INVALID_CODE, also for a code that has been decided on, EXPIRED_CODE, INSUFFICIENT_ROLE.
 */
export async function decideDevice(
  ctx: Context,
  { userCode, action }: { userCode: string; action: 'approve' | 'deny' },
): Promise<boolean> {
  const device = await findWaitingDevice(ctx, userCode);
  const userId = ctx.principal.userId ?? '';
  return ctx.db.transaction(async (tx) => {
    let scopes = device.scopes;
    if (action === 'approve') {
      const basis = await lockGrantBasis(tx, userId, device.clientId);
      scopes = basis ? grantableScopes(device.scopes, basis) : [];
      if (scopes.length === 0)
        throw new QuireError('INSUFFICIENT_ROLE', 'Your role allows nothing that the device asks for');
    }
    const decided = await tx.query(
      `UPDATE oauth_device_codes SET status = $2, user_id = $3, scopes = $4
       WHERE device_hash = $1 AND status = 'pending' AND expires_at > now() RETURNING device_hash`,
      [device.deviceHash, action === 'approve' ? 'approved' : 'denied', userId, scopes],
    );
    if (decided.length === 0) throw unknownCode();
    return action === 'approve';
  });
}
