import { QuireError } from '@quire/errors';
import type { StepResult } from '../operations/operation-step.js';
import type { OperationRow } from '../operations/operations.repository.js';
import { maxRestarts } from './export-limits.js';

/**
 * Lets an export begin again with new copies: a crash of the database empties them, and a media file may be deleted in
 * the instant in which they are made.
 * @throws QuireError TRANSFER_EXPORT_STALLED after several restarts
 */
export function restartExport({ cursor }: Pick<OperationRow, 'cursor'>, reason: string): StepResult {
  const restarts = (cursor.restarts ?? 0) + 1;
  if (restarts > maxRestarts)
    throw new QuireError('TRANSFER_EXPORT_STALLED', `The export began again ${maxRestarts} times`, {
      details: { reason },
    });
  return {
    change: {
      state: 'pending',
      stage: null,
      progress: null,
      packageDigest: null,
      cursor: { restarts, ...(cursor.copies !== undefined && { copies: cursor.copies }) },
    },
  };
}
