import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import {
  requirePresence,
  type AuthenticationCredential,
  type PasskeyServices,
} from '../../../passkeys/index.js';
import { noteConsent } from '../../first-consent.js';
import { lockGrantBasis } from '../../grant-basis.js';
import type { OAuthServices } from '../../oauth-services.js';
import { grantableScopes, isPowerful } from '../../scopes.policy.js';
import { findWaitingDevice, isStranger, unknownCode } from '../waiting-device.js';

/**
 * Lets a device in, as the signed-in user and with no more scopes than his role may give, or turns it away. Of several who
 * decide at once, the first does (contract 32). What is powerful he gives to an application that nobody vouches for with a
 * passkey alone (decision 57).
 * @returns whether the device is let in.
 * @throws QuireError INVALID_CODE, also for a code that has been decided on, EXPIRED_CODE, INSUFFICIENT_ROLE,
 * REAUTHENTICATION_REQUIRED, UNAUTHORIZED.
 */
export async function decideDevice(
  ctx: Context,
  services: { oauth: OAuthServices; passkeys: PasskeyServices },
  decision: {
    userCode: string;
    action: 'approve' | 'deny';
    credential?: AuthenticationCredential | undefined;
  },
): Promise<boolean> {
  const { userCode, action, credential } = decision;
  const device = await findWaitingDevice(ctx, userCode);
  const { role } = ctx.principal;
  const userId = ctx.principal.userId ?? '';
  const wanted = grantableScopes(device.scopes, { role, clientScopes: device.clientScopes });
  if (action === 'approve' && isStranger(device) && wanted.some(isPowerful))
    await requirePresence(ctx, services.passkeys, credential);
  return ctx.db.transaction(async (tx) => {
    let { scopes } = device;
    if (action === 'approve') {
      const basis = await lockGrantBasis(tx, userId, device.clientId);
      scopes = basis ? grantableScopes(wanted, basis) : [];
      if (scopes.length === 0)
        throw new QuireError('INSUFFICIENT_ROLE', 'Your role allows nothing that the device asks for');
    }
    const decided = await tx.query(
      `UPDATE oauth_device_codes SET status = $2, user_id = $3, scopes = $4
       WHERE device_hash = $1 AND status = 'pending' AND expires_at > now() RETURNING device_hash`,
      [device.deviceHash, action === 'approve' ? 'approved' : 'denied', userId, scopes],
    );
    if (decided.length === 0) throw unknownCode();
    if (action === 'approve' && device.clientId !== null)
      await noteConsent(tx, { ctx, audit: services.oauth.audit }, device.clientId);
    return action === 'approve';
  });
}
