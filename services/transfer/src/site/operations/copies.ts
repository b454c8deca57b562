import type { Context } from '@quire/context';
import { recordOwners, siteRecords } from '@quire/internal-api';
import type { TransferDeps } from '../../transfer-deps.js';
import type { OperationCursor } from './operation-state.js';
import { takeCopyNumber, type OperationRow } from './operations.repository.js';

type CopiedOperation = Pick<OperationRow, 'id' | 'cursor'>;

/**
 * Begins an attempt at copying the records of the site: its copies have an id of their own, so a process that has lost
 * its lease never replaces copies that another one reads.
 * @returns the operation, whose latest copies are those of this attempt
 * @throws Error when another process has begun an attempt since
 */
export async function beginCopies<Operation extends CopiedOperation>(
  ctx: Context,
  operation: Operation,
): Promise<Operation> {
  const { id, cursor } = operation;
  const copies = (cursor.copies ?? 0) + 1;
  if (!(await takeCopyNumber(ctx.db, { id, number: copies })))
    throw new Error('Another process copies the records of the site');
  return { ...operation, cursor: { ...cursor, copies } };
}

/**
 * Copies the records of all services that own some, in place of earlier copies of the operation. Content is copied
 * before media, so that the media items to which it refers are among the copies.
 * @param options.comments whether comments are copied
 * @returns the operation with these copies as its latest ones, and the numbers of the copied records by service
 * @throws QuireError SERVICE_UNAVAILABLE, TRANSFER_EXPORT_CONCURRENT_WRITES; Error as `beginCopies`
 */
export async function replaceCopies<Operation extends CopiedOperation>(
  ctx: Context,
  deps: Pick<TransferDeps, 'clients'>,
  operation: Operation,
  { comments }: { comments: boolean },
): Promise<{ attempt: Operation; counts: NonNullable<OperationCursor['counts']> }> {
  await discardCopies(ctx, deps, operation);
  const attempt = await beginCopies(ctx, operation);
  const request = { operationId: copyIdOf(attempt), comments };
  const counts: NonNullable<OperationCursor['counts']> = {};
  for (const owner of recordOwners)
    counts[owner] = (await deps.clients[owner].call(siteRecords[owner].stage, ctx, request)).counts;
  return { attempt, counts };
}

/** The id of the latest copies of an operation, in calls of the services that made them. */
export function copyIdOf({ id, cursor: { copies } }: CopiedOperation): string {
  return `${id}-${copies ?? 0}`;
}

/**
 * Deletes all copies of an operation.
 * @param options.keepsFiles whether the media service keeps the objects of the copied items
 * @throws QuireError SERVICE_UNAVAILABLE
 */
export async function discardCopies(
  ctx: Context,
  { clients }: Pick<TransferDeps, 'clients'>,
  { id, cursor }: CopiedOperation,
  { keepsFiles = false }: { keepsFiles?: boolean } = {},
): Promise<void> {
  for (let copies = 1; copies <= (cursor.copies ?? 0); copies += 1) {
    const request = { operationId: copyIdOf({ id, cursor: { copies } }), keepsFiles };
    for (const owner of recordOwners) await clients[owner].call(siteRecords[owner].discard, ctx, request);
  }
}
