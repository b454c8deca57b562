import type { Context } from '@quire/context';
import { grantableScopes } from '../../scopes.policy.js';
import { shownUserCode } from '../user-code.js';
import { findWaitingDevice } from '../waiting-device.js';

/** What a page shows of a device to the user who is to decide on it. */
export interface AskingDevice {
  /** Null when the application is not registered here. */
  clientName: string | null;
  userCode: string;
  /** What it would get: what it asks for, as far as the user's role may give it. */
  scopes: string[];
}

/** @throws QuireError INVALID_CODE, EXPIRED_CODE. */
export async function askDevice(ctx: Context, typedCode: string): Promise<AskingDevice> {
  const { clientName, clientScopes, userCode, scopes } = await findWaitingDevice(ctx, typedCode);
  const { role } = ctx.principal;
  return {
    clientName,
    userCode: shownUserCode(userCode),
    scopes: grantableScopes(scopes, { role, clientScopes }),
  };
}
