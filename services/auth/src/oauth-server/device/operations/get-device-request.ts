import type { Context } from '@quire/context';
import { hasPasskeys } from '../../../authentication/passkeys/index.js';
import { grantableScopes, isSensitiveScope } from '../../scopes.policy.js';
import { formatUserCode } from '../user-code.js';
import { getPendingDevice, isUnverifiedClient } from '../pending-device.js';

/** What a page shows of a device to the user who is to decide on it. */
export interface DeviceRequest {
  /** Null when the application is not registered here. */
  clientName: string | null;
  /** ISO time at which the application registered itself; null for others. */
  selfRegisteredAt: string | null;
  userCode: string;
  /** What it would get: what it asks for, as far as the user's role may give it. */
  scopes: string[];
  /** How the user has to prove that they are there: what is powerful is not given to a stranger by one click. */
  proof: 'none' | 'passkey' | 'sign-in';
}

/** @throws QuireError INVALID_CODE, EXPIRED_CODE. */
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
