import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { typedUserCode } from './user-code.js';

/** A device that nobody has decided on. */
export interface WaitingDevice {
  deviceHash: string;
  userCode: string;
  clientId: string | null;
  /** What the client is registered as; null for one that is not. */
  clientName: string | null;
  /** ISO time at which the client registered itself; null where an administrator vouches for it, and without a client. */
  selfRegisteredAt: string | null;
  clientScopes: string[] | null;
  /** What it asks for. */
  scopes: string[];
}

/**
 * The device of a code, as a user typed it.
 * @throws QuireError INVALID_CODE, also for a code that has been decided on, EXPIRED_CODE.
 */
export async function findWaitingDevice(ctx: Context, typed: string): Promise<WaitingDevice> {
  const [device] = await ctx.db.query<WaitingDevice & { isOver: boolean }>(
    `SELECT d.device_hash AS "deviceHash", d.user_code AS "userCode", d.client_id AS "clientId",
       c.name AS "clientName",
       CASE WHEN c.registered_itself AND c.approved_at IS NULL THEN c.created_at END AS "selfRegisteredAt", c.scopes AS "clientScopes", d.scopes, d.expires_at <= now() AS "isOver"
     FROM oauth_device_codes d LEFT JOIN oauth_clients c ON c.id = d.client_id
     WHERE d.user_code = $1 AND d.status = 'pending'`,
    [typedUserCode(typed)],
  );
  if (!device) throw unknownCode();
  if (device.isOver) throw new QuireError('EXPIRED_CODE', 'This code has expired; start again on the device');
  return device;
}

/** Whether nobody vouches for what a device says of itself. */
export function isStranger({
  clientId,
  selfRegisteredAt,
}: Pick<WaitingDevice, 'clientId' | 'selfRegisteredAt'>): boolean {
  return clientId === null || selfRegisteredAt !== null;
}

export function unknownCode(): QuireError {
  return new QuireError('INVALID_CODE', 'There is no such code, or it has been used');
}
