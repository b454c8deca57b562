import { columnsOf, type Queryable, type Transaction } from '@quire/database';
import type { OperationRow } from '../operations/operations.repository.js';
import { expiringStates, TransferOperation } from '../operations/transfer-operation.entity.js';

/** The import that occupies the site: the condition is that of its unique index. */
export async function selectActiveImport(sql: Queryable): Promise<OperationRow | undefined> {
  const [row] = await sql.query<OperationRow>(
    `SELECT ${columnsOf(TransferOperation)} FROM transfer_operations
     WHERE kind = 'import' AND (state IN ('uploading', 'analyzing', 'planned', 'running', 'verifying')
       OR (state IN ('failed', 'cancelled') AND mutation_started_at IS NOT NULL))`,
  );
  return row;
}

/** Expires imports whose time has passed before their execution. A worker deletes their files. */
export async function expireOverdueImports(sql: Queryable): Promise<void> {
  await sql.query(
    `UPDATE transfer_operations SET state = 'expired', updated_at = now()
     WHERE kind = 'import' AND state = ANY($1::text[]) AND expires_at <= now()`,
    [expiringStates.import],
  );
}

/** Numbers of an import's files. */
export interface FileCounts {
  declared: number;
  stored: number;
}

/**
 * Adds to the numbers of an import's files.
 * @returns the new numbers; undefined when the import does not receive files
 */
export async function addFiles(
  tx: Transaction,
  id: string,
  { declared, stored }: FileCounts,
): Promise<FileCounts | undefined> {
  const [row] = await tx.query<FileCounts>(
    `UPDATE transfer_operations SET declared_files = declared_files + $2, stored_files = stored_files + $3,
       updated_at = now()
     WHERE id = $1 AND state = 'uploading' AND expires_at > now()
     RETURNING declared_files AS declared, stored_files AS stored`,
    [id, declared, stored],
  );
  return row;
}
