import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { normaliseUserCode } from './user-code.js';

/** A device whose authorization is pending. */
export interface PendingDevice {
  deviceHash: string;
  userCode: string;
  clientId: string | null;
  /** What the client is registered as; null for one that is not. */
  clientName: string | null;
  /**
   * ISO time at which the client registered itself; null where an administrator vouches for it, and without a client.
   */
  selfRegisteredAt: string | null;
  clientScopes: string[] | null;
  /** What it asks for. */
  scopes: string[];
}

/**
 * The device of a code, as a user typed it.
 * @throws QuireError INVALID_CODE, also for a code that has been decided on, EXPIRED_CODE.
 */
export async function getPendingDevice(ctx: Context, typed: string): Promise<PendingDevice> {
  const [device] = await ctx.db.query<PendingDevice & { isExpired: boolean }>(
    `SELECT d.device_hash AS "deviceHash", d.user_code AS "userCode", d.client_id AS "clientId",
       c.name AS "clientName",
       CASE WHEN c.registered_itself AND c.approved_at IS NULL THEN c.created_at END AS "selfRegisteredAt", c.scopes AS "clientScopes", d.scopes, d.expires_at <= now() AS "isExpired"
     FROM oauth_device_codes d LEFT JOIN oauth_clients c ON c.id = d.client_id
     WHERE d.user_code = $1 AND d.status = 'pending'`,
    [normaliseUserCode(typed)],
  );
  if (!device) throw unknownCodeError();
  if (device.isExpired)
    throw new QuireError('EXPIRED_CODE', 'This code has expired; start again on the device');
  return device;
}

/** Whether the client of a device is unregistered or unapproved. */
export function isUnverifiedClient({
  clientId,
  selfRegisteredAt,
}: Pick<PendingDevice, 'clientId' | 'selfRegisteredAt'>): boolean {
  return clientId === null || selfRegisteredAt !== null;
}

export function unknownCodeError(): QuireError {
  return new QuireError('INVALID_CODE', 'The code is unknown or already used');
}
