import type { Context } from '@quire/context';
import type { ObjectStore } from '@quire/object-store';
import { fileNumberOf, packageFileAt } from '@quire/site-package';
import { archivedFilesOf, type SitePackage } from '@quire/testing';
import { ulid } from '@quire/values';
import { insertOperation, type OperationChange } from '../operations/operations.repository.js';
import {
  firstIndexPosition,
  manifestPosition,
  mediaPosition,
  recordsPosition,
} from '../package-files/file-positions.js';
import { replaceFiles } from '../package-files/package-files.repository.js';
import { storeFile } from '../package-files/stored-files.js';

/**
 * Inserts an import and stores all files of its package, as their uploads do.
 * @param values of the operation: what its state requires
 * @returns its id
 */
export async function insertImport(
  ctx: Context,
  store: ObjectStore,
  { sitePackage, ...values }: { sitePackage: SitePackage } & OperationChange,
): Promise<string> {
  const id = ulid();
  const { packageDigest } = sitePackage;
  const common = { options: {}, cursor: {}, createdBy: 'user-ada', packageDigest } as const;
  await insertOperation(ctx.db, { id, kind: 'import', ...common, ...values });
  const files = archivedFilesOf(sitePackage).map(async ({ path, bytes }, index) => ({
    ...(await storeFile(ctx, store, { operationId: id, path, bytes })),
    position: positionOf(path, index),
  }));
  await replaceFiles(ctx.db, await Promise.all(files));
  return id;
}

/** @param index place of the file among all of the package */
function positionOf(path: string, index: number): number {
  const file = packageFileAt(path);
  if (!file) return manifestPosition;
  if (file.type === 'media') return mediaPosition(1, index + 1);
  const number = fileNumberOf(path);
  return file.type === 'index' ? firstIndexPosition + number - 1 : recordsPosition(file.kind, number);
}
