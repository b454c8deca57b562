import { recordOwners, siteRecords } from '@quire/internal-api';
import type { OperationStep } from '../../operations/operation-step.js';
import type { OperationCursor } from '../../operations/operation-state.js';
import { beginCopies, copyIdOf, discardCopies } from '../../operations/copies.js';
import { deleteFiles } from '../../package-files/package-files.repository.js';
import { deleteObjects } from '../../package-files/stored-files.js';
import { progressAfter } from '../export-progress.js';
import { assertWithin } from '../package-limits.js';

/**
 * The first step: every owner copies its records as they are at one instant. Content is copied before media, so that
 * the media items to which it refers are among the copies. A repetition begins the export again.
 */
export const copyRecords: OperationStep = async (ctx, deps, operation) => {
  const { id, options } = operation;
  await deleteObjects(ctx, deps.store, id);
  await discardCopies(ctx, deps, operation);
  const attempt = await beginCopies(ctx, operation);
  const counts: NonNullable<OperationCursor['counts']> = {};
  for (const owner of recordOwners) {
    const request = { operationId: copyIdOf(attempt), comments: options.comments ?? true };
    counts[owner] = (await deps.clients[owner].call(siteRecords[owner].stage, ctx, request)).counts;
  }
  assertWithin('totalRecords', totalOf(counts));
  assertWithin('collections', counts.content?.collections ?? 0);
  const { restarts = 0, copies = 1 } = attempt.cursor;
  const cursor: OperationCursor = { counts, kind: 'principals', restarts, copies };
  const progress = progressAfter({ progress: null }, { stage: 'export_records', cursor });
  return {
    change: { state: 'running', stage: 'export_records', cursor, progress },
    write: (tx) => deleteFiles(tx, id),
  };
};

function totalOf(counts: NonNullable<OperationCursor['counts']>): number {
  const perKind = Object.values(counts).flatMap((ofOwner) => Object.values(ofOwner));
  return perKind.reduce((sum, count) => sum + count, 0);
}
