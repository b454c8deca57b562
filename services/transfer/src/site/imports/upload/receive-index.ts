import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { packageLimits } from '@quire/site-package';
import type { TransferDeps } from '../../../transfer-deps.js';
import {
  insertExpectedFiles,
  lockFile,
  markFileStored,
} from '../../package-files/declared-files.repository.js';
import { manifestPosition } from '../../package-files/file-positions.js';
import type { PackageFileRow } from '../../package-files/package-files.repository.js';
import { objectPrefix, openFile, storeError } from '../../package-files/stored-files.js';
import { addFiles } from '../imports.repository.js';
import { limitExceeded } from '../package-errors.js';
import { indexLineInvalid, readIndexLines, type IndexFile, type IndexLine } from './index-lines.js';
import { importClosed, type StoredFile } from './stored-file.js';

/**
 * Reads an index file from the store, and records the files that it declares and that it is stored itself: all in one
 * transaction.
 * @throws QuireError TRANSFER_MANIFEST_INVALID, TRANSFER_LIMIT_EXCEEDED, TRANSFER_INVALID_STATE, SERVICE_UNAVAILABLE
 */
export async function receiveIndex(
  ctx: Context,
  { store }: Pick<TransferDeps, 'store'>,
  file: PackageFileRow,
): Promise<StoredFile> {
  const { operationId, path, position } = file;
  return ctx.db.transaction(async (tx) => {
    // Index files of one import are recorded one after the other: no two declare the same path.
    await lockFile(tx, operationId, manifestPosition);
    const isNew = await markFileStored(tx, operationId, position);
    const declared = isNew
      ? await insertDeclared(ctx, tx, { store, file, index: { path, number: position } })
      : 0;
    const counts = await addFiles(tx, operationId, { declared, stored: isNew ? 1 : 0 });
    if (!counts) throw await importClosed(tx, operationId);
    if (counts.declared > packageLimits.totalFiles + packageLimits.indexChunks)
      throw limitExceeded('totalFiles', 'Files');
    return { isNew, remaining: counts.declared - counts.stored };
  });
}

/** @returns the number of declared files */
async function insertDeclared(
  ctx: Context,
  tx: Transaction,
  { store, file, index }: { store: TransferDeps['store']; file: PackageFileRow; index: IndexFile },
): Promise<number> {
  const { operationId } = file;
  const target = { operationId, prefix: objectPrefix(ctx, operationId) };
  const bytes = await openFile(store, file);
  let declared = 0;
  try {
    for await (const lines of readIndexLines(bytes, index)) {
      const inserted = await insertExpectedFiles(tx, target, lines);
      const repeated = repeatedLine(lines, inserted);
      if (repeated) throw indexLineInvalid(index, repeated.line, `declares ${repeated.path} again`);
      declared += lines.length;
    }
  } catch (error) {
    throw storeError(error);
  } finally {
    bytes.destroy();
  }
  return declared;
}

/** The first line whose path another line has: in these lines, or in those that were inserted before. */
function repeatedLine(lines: readonly IndexLine[], inserted: ReadonlySet<string>): IndexLine | undefined {
  if (inserted.size === lines.length) return undefined;
  const seen = new Set<string>();
  return lines.find(({ path }) => !inserted.has(path) || seen.size === seen.add(path).size);
}
