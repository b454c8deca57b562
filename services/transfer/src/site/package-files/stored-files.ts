import { Readable } from 'node:stream';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import {
  deletePrefix,
  ObjectStoreFull,
  ObjectStoreUnavailable,
  type ByteRange,
  type ObjectStore,
} from '@quire/object-store';
import { sha256Of } from '@quire/site-package';
import type { PackageFileRow } from './package-files.repository.js';

const retryAfterSeconds = 5;

/** Prefix of the objects that an operation owns. Media files of an export are not among them. */
export function objectPrefix({ principal }: Context, operationId: string): string {
  return `${principal.tenant.id}/transfers/${operationId}/`;
}

/**
 * Stores a file of a package. The same file may be stored again.
 * @returns its row, without its place
 * @throws QuireError SERVICE_UNAVAILABLE, STORAGE_QUOTA_EXCEEDED
 */
export async function storeFile(
  ctx: Context,
  store: ObjectStore,
  { operationId, path, bytes }: { operationId: string; path: string; bytes: Buffer },
): Promise<Omit<PackageFileRow, 'position'>> {
  const objectKey = `${objectPrefix(ctx, operationId)}${path}`;
  try {
    const contentType = path.endsWith('.json') ? 'application/json' : 'application/x-ndjson';
    await store.put(objectKey, Readable.from([bytes]), { contentType, size: bytes.length });
  } catch (error) {
    throw storeError(error);
  }
  return { operationId, path, bytes: bytes.length, sha256: sha256Of(bytes), objectKey, isStored: true };
}

/**
 * Opens the bytes of a file, or a part of them.
 * @throws QuireError SERVICE_UNAVAILABLE; TRANSFER_STORAGE_ERROR when the object is missing
 */
export async function openFile(
  store: ObjectStore,
  { path, objectKey }: Pick<PackageFileRow, 'path' | 'objectKey'>,
  range?: ByteRange,
): Promise<Readable> {
  const object = await store.get(objectKey, range).catch((error: unknown) => {
    throw storeError(error);
  });
  if (!object)
    throw new QuireError('TRANSFER_STORAGE_ERROR', `The bytes of ${path} are missing in the object store`);
  return object.bytes;
}

/** Size of an object; undefined for a missing one. @throws QuireError SERVICE_UNAVAILABLE */
export async function sizeOfObject(store: ObjectStore, objectKey: string): Promise<number | undefined> {
  try {
    return (await store.stat(objectKey))?.size;
  } catch (error) {
    throw storeError(error);
  }
}

/**
 * Reads the bytes of an object, or a part of them, into a hash.
 * @returns their number; undefined for a missing object
 * @throws QuireError SERVICE_UNAVAILABLE
 */
export async function hashObject(
  store: ObjectStore,
  objectKey: string,
  { hash, range }: { hash: { update(part: Buffer): unknown }; range?: ByteRange },
): Promise<number | undefined> {
  try {
    const object = await store.get(objectKey, range);
    if (!object) return undefined;
    let bytes = 0;
    for await (const part of object.bytes as AsyncIterable<Buffer>) {
      hash.update(part);
      bytes += part.length;
    }
    return bytes;
  } catch (error) {
    throw storeError(error);
  }
}

/** Deletes all objects that an operation owns. @throws QuireError SERVICE_UNAVAILABLE */
export async function deleteObjects(ctx: Context, store: ObjectStore, operationId: string): Promise<void> {
  try {
    await deletePrefix(store, objectPrefix(ctx, operationId));
  } catch (error) {
    throw storeError(error);
  }
}

/** The error of the object store as clients and the operation see it. */
export function storeError(error: unknown): unknown {
  if (error instanceof ObjectStoreFull)
    return new QuireError('STORAGE_QUOTA_EXCEEDED', 'The object store has no space left', { cause: error });
  if (error instanceof ObjectStoreUnavailable)
    return new QuireError('SERVICE_UNAVAILABLE', 'The object store is unavailable; retry later', {
      retryAfterSeconds,
      cause: error,
    });
  return error;
}
