import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { missingFileOrder, selectMissingFiles } from '../../package-files/declared-files.repository.js';
import { findImport } from '../find-import.js';

/** A file of a package that is not stored. */
export interface MissingFile {
  path: string;
  bytes: number;
  sha256: string;
}

/** A page of missing files. */
export interface MissingFiles {
  items: MissingFile[];
  nextCursor?: string;
}

/**
 * The known files of an import that are not stored, in the order of the archive: the index first (contract 25).
 * @throws QuireError TRANSFER_OPERATION_NOT_FOUND, TRANSFER_EXPIRED, INVALID_CURSOR
 */
export async function listTransferImportMissingFiles(
  ctx: Context,
  given: { id: string; cursor?: string | undefined; limit: number },
): Promise<MissingFiles> {
  await findImport(ctx, given.id);
  return missingFilesOf(ctx, given);
}

/** The same for an import that exists, in any state. @throws QuireError INVALID_CURSOR */
export async function missingFilesOf(
  ctx: Context,
  { id, cursor, limit }: { id: string; cursor?: string | undefined; limit: number },
): Promise<MissingFiles> {
  const scope = cursorScope({
    operation: 'listTransferImportMissingFiles',
    tenant: ctx.principal.tenant.id,
    import: id,
  });
  const page = new KeysetPage(missingFileOrder, scope, { cursor, limit });
  const { items, ...rest } = page.cut(await selectMissingFiles(ctx.db, id, page), ({ position, path }) => ({
    value: position,
    id: path,
  }));
  return { items: items.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })), ...rest };
}
