import { QuireError } from '@quire/errors';
import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { selectOperation } from '../../operations/operations.repository.js';
import { markFileStored } from '../../package-files/declared-files.repository.js';
import type { PackageFileRow } from '../../package-files/package-files.repository.js';
import { importStateError } from '../find-import.js';
import { addFiles } from '../imports.repository.js';

/** The record of an uploaded file. */
export interface StoredFile {
  /** False when another request has uploaded it. */
  isNew: boolean;
  /** Known files that are not stored. */
  remaining: number;
}

/** Records that a file of records or media is stored. @throws QuireError TRANSFER_INVALID_STATE */
export async function recordStoredFile(
  ctx: Context,
  { operationId, position }: Pick<PackageFileRow, 'operationId' | 'position'>,
): Promise<StoredFile> {
  return ctx.db.transaction(async (tx) => {
    const isNew = await markFileStored(tx, operationId, position);
    const counts = await addFiles(tx, operationId, { declared: 0, stored: isNew ? 1 : 0 });
    if (!counts) throw await importClosed(tx, operationId);
    return { isNew, remaining: counts.declared - counts.stored };
  });
}

/** The error for a file whose import was cancelled, or has expired, while it was uploaded. */
export async function importClosed(tx: Transaction, operationId: string): Promise<QuireError> {
  const operation = await selectOperation(tx, { id: operationId });
  if (!operation || operation.state === 'uploading')
    return new QuireError('TRANSFER_EXPIRED', 'The import has expired; create another one');
  return importStateError(operation);
}
