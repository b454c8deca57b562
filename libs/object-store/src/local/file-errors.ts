import { ObjectStoreFull, ObjectStoreUnavailable } from '../port/object-store-errors.js';

const full = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Returns undefined for the error of a missing file. @throws as `throwStoreError` otherwise */
export function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throwStoreError(error);
  return undefined;
}

/** Maps a file system error to the port's error; rethrows any other error. */
export function throwStoreError(error: unknown): never {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined || code === undefined) throw error;
  throw full.includes(code) ? new ObjectStoreFull(error) : new ObjectStoreUnavailable(error);
}
