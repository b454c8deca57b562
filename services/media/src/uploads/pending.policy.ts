import type { Principal } from '@quire/context';
import { QuireError } from '@quire/errors';
import { assertPermission } from '@quire/permissions';
import type { ItemRow } from '../items/index.js';

/** Lifetime of an upload target. */
export const targetSeconds = 3600;
/** Time for uploads that started before the target expired; afterwards the target and its item are deleted. */
export const graceSeconds = 3600;

/**
 * Users may complete their own uploads. Only editors may complete those of others (contract 11).
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

/** Whether the upload target of an item has expired. */
export function isExpired({ createdAt }: ItemRow): boolean {
  return Date.now() > Date.parse(createdAt) + targetSeconds * 1000;
}

/** The time at which an unconfirmed item is deleted with its bytes. */
export function deletionTimeOf({ createdAt }: ItemRow): Date {
  return new Date(Date.parse(createdAt) + (targetSeconds + graceSeconds) * 1000);
}

/** The error for an item that another request changed during the verification of its bytes. */
export function itemChangedError(): QuireError {
  return new QuireError(
    'INVALID_STATE',
    'The media item was changed by another request. Reload it and retry.',
    { status: 409 },
  );
}
