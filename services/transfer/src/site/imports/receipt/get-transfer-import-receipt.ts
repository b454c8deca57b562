import type { Context } from '@quire/context';
import { findImport, importStateError } from '../find-import.js';
import type { Receipt } from './receipt.js';

/**
 * The proof of a complete import, also after its files were deleted (contract 25).
 * @throws QuireError TRANSFER_OPERATION_NOT_FOUND, TRANSFER_EXPIRED, TRANSFER_INVALID_STATE for an import without one
 */
export async function getTransferImportReceipt(ctx: Context, id: string): Promise<{ receipt: Receipt }> {
  const operation = await findImport(ctx, id);
  const { state, receipt } = operation;
  if (state !== 'complete' || receipt === null) throw importStateError(operation);
  return { receipt };
}
