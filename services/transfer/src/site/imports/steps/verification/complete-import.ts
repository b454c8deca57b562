import type { OperationStep } from '../../../operations/operation-step.js';
import { discardCopies } from '../../../operations/copies.js';
import { endedNow } from '../../../operations/record-step.js';
import { makeReceipt } from './make-receipt.js';

/** Ends a verified import: its copies are deleted, the site is writable again, and the receipt proves its content. */
export const completeImport: OperationStep = async (ctx, deps, operation) => {
  const { cursor, progress } = operation;
  await discardCopies(ctx, deps, operation);
  await deps.fence.lift(ctx);
  const ended = endedNow();
  const receipt = await makeReceipt(ctx, deps, operation, ended.completedAt);
  const { done = 0, total = done, bytesTotal } = progress ?? {};
  return {
    change: {
      state: 'complete',
      stage: null,
      cursor: cursor.copies === undefined ? {} : { copies: cursor.copies },
      receipt,
      progress: {
        ...progress,
        done: total,
        total,
        ...(bytesTotal !== undefined && { bytesDone: bytesTotal }),
      },
      ...ended,
    },
  };
};
