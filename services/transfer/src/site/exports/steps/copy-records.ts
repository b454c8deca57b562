import type { OperationStep } from '../../operations/operation-step.js';
import type { OperationCursor } from '../../operations/operation-state.js';
import { replaceCopies } from '../../operations/copies.js';
import { deleteFiles } from '../../package-files/package-files.repository.js';
import { deleteObjects } from '../../package-files/stored-files.js';
import { progressAfter } from '../export-progress.js';
import { assertWithin } from '../package-limits.js';

/**
 * The first step: every service that owns records copies them as they are at one instant. A repetition begins the
 * export again.
 */
export const copyRecords: OperationStep = async (ctx, deps, operation) => {
  const { id, options } = operation;
  await deleteObjects(ctx, deps.store, id);
  const { attempt, counts } = await replaceCopies(ctx, deps, operation, {
    comments: options.comments ?? true,
  });
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
