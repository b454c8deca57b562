import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { StreamedBody } from '@quire/http-server';
import { ObjectSizeMismatch } from '@quire/object-store';
import { packageFileAt } from '@quire/site-package';
import type { TransferDeps } from '../../../transfer-deps.js';
import type { OperationRow } from '../../operations/operations.repository.js';
import { selectFile, type PackageFileRow } from '../../package-files/package-files.repository.js';
import { storeError } from '../../package-files/stored-files.js';
import { findImport, importStateError } from '../find-import.js';
import { receiveIndex } from './receive-index.js';
import { recordStoredFile } from './stored-file.js';
import { verifiedBytes } from './verified-bytes.js';

/** An uploaded file of a package. */
export interface UploadedFile {
  path: string;
  bytes: number;
  /** Whether the file was stored already: then the body is not read. */
  alreadyVerified: boolean;
  /** Known files that are not stored: with each index file more are known. */
  remaining: number;
}

/**
 * Receives a file of a package (contract 25). It is streamed to the object store, which has it only when size and hash
 * are those that the package declares.
 * @throws QuireError TRANSFER_OPERATION_NOT_FOUND, TRANSFER_EXPIRED, TRANSFER_INVALID_STATE, LENGTH_REQUIRED,
 *   TRANSFER_PATH_INVALID, TRANSFER_FILE_NOT_DECLARED, TRANSFER_FILE_SIZE_MISMATCH, TRANSFER_FILE_DIGEST_MISMATCH;
 *   TRANSFER_MANIFEST_INVALID and TRANSFER_LIMIT_EXCEEDED for the content of an index file; INVALID_REQUEST for a
 *   broken connection, SERVICE_UNAVAILABLE, STORAGE_QUOTA_EXCEEDED
 */
export async function uploadTransferImportFile(
  ctx: Context,
  deps: TransferDeps,
  { id, path, body }: { id: string; path: string; body: StreamedBody },
): Promise<UploadedFile> {
  const operation = await findImport(ctx, id);
  if (operation.state !== 'uploading') throw importStateError(operation);
  const file = await findDeclaredFile(ctx, { id, path }, body.contentLength);
  const { bytes } = file;
  if (file.isStored) {
    body.bytes.resume();
    // Another request may have stored it since the import was read.
    return { path, bytes, alreadyVerified: true, remaining: remainingOf(await findImport(ctx, id)) };
  }
  await store(deps, file, body);
  try {
    const isIndex = packageFileAt(path)?.type === 'index';
    const { isNew, remaining } = isIndex
      ? await receiveIndex(ctx, deps, file)
      : await recordStoredFile(ctx, file);
    return { path, bytes, alreadyVerified: !isNew, remaining };
  } catch (error) {
    if (isClosed(error)) await discard(ctx, deps, file);
    throw error;
  }
}

async function findDeclaredFile(
  ctx: Context,
  { id, path }: { id: string; path: string },
  contentLength: number | undefined,
): Promise<PackageFileRow> {
  if (contentLength === undefined)
    throw new QuireError('LENGTH_REQUIRED', 'Send the size of the file as Content-Length');
  const details = { path };
  if (!packageFileAt(path))
    throw new QuireError('TRANSFER_PATH_INVALID', 'The path is none of an index, records or media file', {
      details,
    });
  const file = await selectFile(ctx.db, id, path);
  if (!file)
    throw new QuireError(
      'TRANSFER_FILE_NOT_DECLARED',
      `The received files of the index do not declare ${path}`,
      {
        details,
      },
    );
  if (contentLength !== file.bytes) throw sizeMismatch(file, contentLength);
  return file;
}

async function store(
  { store }: Pick<TransferDeps, 'store'>,
  file: PackageFileRow,
  { bytes: source, signal }: StreamedBody,
): Promise<void> {
  const { path, sha256, bytes: size } = file;
  const mismatch = () =>
    new QuireError(
      'TRANSFER_FILE_DIGEST_MISMATCH',
      `The bytes of ${path} have another SHA-256 than the package declares`,
      {
        details: { path, sha256 },
      },
    );
  const bytes = verifiedBytes(source, { sha256, mismatch });
  try {
    await store.put(file.objectKey, bytes, { contentType: 'application/octet-stream', size, signal });
  } catch (error) {
    if (error instanceof ObjectSizeMismatch) throw sizeMismatch(file);
    throw storeError(error);
  } finally {
    bytes.destroy();
  }
}

/** Deletes the object of a file whose import has ended, unless another request has recorded it before. */
async function discard(ctx: Context, { store, logger }: TransferDeps, file: PackageFileRow): Promise<void> {
  const recorded = await selectFile(ctx.db, file.operationId, file.path);
  if (recorded?.isStored) return;
  await store.delete(file.objectKey).catch((error: unknown) => {
    logger.warn(
      { operationId: file.operationId, path: file.path, err: error },
      'file of an import not deleted',
    );
  });
}

function isClosed(error: unknown): boolean {
  return error instanceof QuireError && ['TRANSFER_INVALID_STATE', 'TRANSFER_EXPIRED'].includes(error.code);
}

function remainingOf({ declaredFiles, storedFiles }: OperationRow): number {
  return declaredFiles - storedFiles;
}

function sizeMismatch({ path, bytes }: PackageFileRow, received?: number): QuireError {
  return new QuireError('TRANSFER_FILE_SIZE_MISMATCH', `${path} has ${bytes} bytes in the package`, {
    details: { path, bytes, ...(received !== undefined && { received }) },
  });
}
