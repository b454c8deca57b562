import type { Context } from '@quire/context';
import { hasSqlState, sqlState, type Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { ulid } from '@quire/values';
import type { TransferDeps } from '../../transfer-deps.js';
import type { OperationOptions } from '../operations/operation-state.js';
import {
  insertOperation,
  releaseOldKey,
  selectKeyedOperation,
  type OperationRow,
} from '../operations/operations.repository.js';
import { requestSteps } from '../operations/request-steps.js';

/** A started export; `created` is false for the repetition of a request with the same key. */
export interface StartedExport {
  operation: OperationRow;
  created: boolean;
}

/**
 * Starts an export of the site (contract 25). A worker takes its steps.
 * @param idempotencyKey makes the request repeatable by its user
 * @param write further writes of the transaction; the export does not start if it throws
 * @throws QuireError TRANSFER_IDEMPOTENCY_CONFLICT for a key that the user gave with other options
 */
export async function createTransferExport(
  ctx: Context,
  deps: TransferDeps,
  {
    options,
    idempotencyKey,
    write,
  }: {
    options: Required<Pick<OperationOptions, 'comments'>>;
    idempotencyKey?: string | undefined;
    write?: ((tx: Transaction, operationId: string) => Promise<void>) | undefined;
  },
): Promise<StartedExport> {
  const createdBy = ctx.principal.userId ?? 'system';
  const key = { kind: 'export' as const, createdBy, idempotencyKey: idempotencyKey ?? null };
  try {
    const operation = await ctx.db.transaction(async (tx) => {
      await releaseOldKey(tx, key);
      const row = await insertOperation(tx, { ...key, id: ulid(), state: 'pending', options, cursor: {} });
      await requestSteps(ctx, tx, row.id);
      await write?.(tx, row.id);
      return row;
    });
    deps.wakeDispatcher();
    return { operation, created: true };
  } catch (error) {
    if (!hasSqlState(error, sqlState.uniqueViolation)) throw error;
    return { operation: await findRepeated(ctx, key, options), created: false };
  }
}

async function findRepeated(
  ctx: Context,
  key: Pick<OperationRow, 'kind' | 'createdBy' | 'idempotencyKey'>,
  options: OperationOptions,
): Promise<OperationRow> {
  const operation = await selectKeyedOperation(ctx.db, key);
  if (operation && operation.options.comments === options.comments) return operation;
  throw new QuireError(
    'TRANSFER_IDEMPOTENCY_CONFLICT',
    'The Idempotency-Key was given with other options; use another key',
  );
}
