import type { Principal } from '@quire/context';
import { QuireError } from '@quire/errors';
import { assertPermission } from '@quire/permissions';
import type { ItemRow } from '../items/index.js';

/** How long an upload target is good for. */
export const targetSeconds = 3600;
/** Bytes whose sending began in time may come a little later; then the target and its item are deleted. */
export const graceSeconds = 3600;

/**
 * One may finish what one has announced; what others did is for editors (contract 11).
 * @throws QuireError FORBIDDEN.
 */
export function assertUploader(principal: Principal, { authorId }: ItemRow): void {
  const isOwn = authorId !== null && authorId === principal.userId;
  assertPermission(principal, isOwn ? 'media:upload' : 'media:edit_any');
}

/** @throws QuireError INVALID_STATE for an item that is not pending. */
export function assertPending({ status }: ItemRow): void {
  if (status !== 'pending')
    throw new QuireError('INVALID_STATE', `The media item is ${status} and cannot receive an upload`);
}

/** Whether an item's target is past its time. */
export function isExpired({ createdAt }: ItemRow): boolean {
  return Date.now() > Date.parse(createdAt) + targetSeconds * 1000;
}

/** When an item that nobody has confirmed by then is deleted with its bytes. */
export function deletionTimeOf({ createdAt }: ItemRow): Date {
  return new Date(Date.parse(createdAt) + (targetSeconds + graceSeconds) * 1000);
}

/** The item changed while its bytes were looked at. */
export function itemChangedError(): QuireError {
  return new QuireError(
    'INVALID_STATE',
    'The media item was changed by another request. Reload it and retry.',
    { status: 409 },
  );
}
