import type { Context } from '@quire/context';
import type { Download } from '@quire/http-server';
import { manifestPath } from '@quire/site-package';
import type { TransferDeps } from '../../transfer-deps.js';
import { archiveSize, readArchive } from '../archive/read-archive.js';
import { openFile } from '../package-files/stored-files.js';
import { findCompleteExport, findExportFile } from './exports.operations.js';

type Store = Pick<TransferDeps, 'store'>;

/**
 * The manifest of a complete export.
 * @throws QuireError TRANSFER_OPERATION_NOT_FOUND, TRANSFER_INVALID_STATE, TRANSFER_EXPIRED
 */
export function getTransferExportManifest(ctx: Context, deps: Store, id: string): Promise<Download> {
  return downloadTransferExportFile(ctx, deps, { id, path: manifestPath });
}

/**
 * A file of a complete export.
 * @throws QuireError TRANSFER_OPERATION_NOT_FOUND, TRANSFER_INVALID_STATE, TRANSFER_EXPIRED, NOT_FOUND
 */
export async function downloadTransferExportFile(
  ctx: Context,
  { store }: Store,
  { id, path }: { id: string; path: string },
): Promise<Download> {
  const { bytes, sha256, objectKey } = await findExportFile(ctx, id, path);
  return {
    contentType: contentTypeOf(path),
    filename: path.split('/').at(-1) ?? path,
    size: bytes,
    etag: `"${sha256}"`,
    open: (range) => openFile(store, { path, objectKey }, range),
  };
}

/**
 * All files of a complete export as one tar archive. Its bytes are the same at every request.
 * @throws QuireError TRANSFER_OPERATION_NOT_FOUND, TRANSFER_INVALID_STATE, TRANSFER_EXPIRED
 */
export async function downloadTransferExportArchive(
  ctx: Context,
  { store }: Store,
  id: string,
): Promise<Download> {
  const operation = await findCompleteExport(ctx, id);
  const size = await archiveSize(ctx, operation.id);
  return {
    contentType: 'application/x-tar',
    filename: `${ctx.principal.tenant.id}-${operation.createdAt.slice(0, 10)}.tar`,
    size,
    etag: `"${operation.id}"`,
    open: (range = { start: 0, end: size - 1 }) => Promise.resolve(readArchive(ctx, store, operation, range)),
  };
}

function contentTypeOf(path: string): string {
  if (path.endsWith('.json')) return 'application/json';
  return path.endsWith('.ndjson') ? 'application/x-ndjson' : 'application/octet-stream';
}
