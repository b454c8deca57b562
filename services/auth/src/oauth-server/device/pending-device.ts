import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { selectPendingDevice, type PendingDevice } from './device-codes.repository.js';
import { normaliseUserCode } from './user-code.js';

/**
 * @param typed user code as the user typed it
 * @returns the pending device of a user code.
 * @throws QuireError INVALID_CODE, also for a code that is already decided, EXPIRED_CODE.
 */
export async function getPendingDevice(ctx: Context, typed: string): Promise<PendingDevice> {
  const device = await selectPendingDevice(ctx.db, normaliseUserCode(typed));
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

/** The error for a user code that is unknown or already decided. */
export function unknownCodeError(): QuireError {
  return new QuireError('INVALID_CODE', 'The code is unknown or already used');
}
