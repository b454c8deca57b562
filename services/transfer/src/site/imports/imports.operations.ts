import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { toOperationResponse, type OperationResponse } from '../operations/operation-response.js';
import { operationOrder, selectOperations } from '../operations/operations.repository.js';
import { findAnyImport } from './find-import.js';

/** An import with the number of its files. `declared` grows with each file of the index. */
export interface ImportResponse {
  operation: OperationResponse;
  files: { declared: number; verified: number };
}

/** The imports of the site, the newest first (contract 25). @throws QuireError INVALID_CURSOR */
export async function listTransferImports(
  ctx: Context,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ items: OperationResponse[]; nextCursor?: string }> {
  const scope = cursorScope({ operation: 'listTransferImports', tenant: ctx.principal.tenant.id });
  const page = new KeysetPage(operationOrder, scope, { cursor, limit });
  const { items, ...rest } = page.cut(
    await selectOperations(ctx.db, 'import', page),
    ({ createdAt, id }) => ({ value: createdAt, id }),
  );
  return { items: items.map(toOperationResponse), ...rest };
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
