import type { Context } from '@quire/context';
import { listOperations, type OperationList } from '../operations/list-operations.js';
import { toOperationResponse, type OperationResponse } from '../operations/operation-response.js';
import { findAnyImport } from './find-import.js';

/** An import with the number of its files. `declared` grows with each file of the index. */
export interface ImportResponse {
  operation: OperationResponse;
  files: { declared: number; verified: number };
}

/** The imports of the site, the newest first (contract 25). @throws QuireError INVALID_CURSOR */
export function listTransferImports(
  ctx: Context,
  query: { cursor?: string | undefined; limit: number },
): Promise<OperationList> {
  return listOperations(ctx, { id: 'listTransferImports', kind: 'import' }, query);
}

/** An import, also an expired one (contract 25). @throws QuireError TRANSFER_OPERATION_NOT_FOUND */
export async function getTransferImport(ctx: Context, id: string): Promise<ImportResponse> {
  const operation = await findAnyImport(ctx, id);
  const { declaredFiles, storedFiles } = operation;
  return {
    operation: toOperationResponse(operation),
    files: { declared: declaredFiles, verified: storedFiles },
  };
}
