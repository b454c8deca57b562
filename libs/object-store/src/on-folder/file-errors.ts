import { ObjectStoreFull, ObjectStoreUnavailable } from '../port/object-store-errors.js';

const full = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Answers undefined when there is no such file. @throws as `refuse` otherwise */
export function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') refuse(error);
  return undefined;
}

/** Throws an error of the file system as the port names it, and any other as it is. */
export function refuse(error: unknown): never {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined || code === undefined) throw error;
  throw full.includes(code) ? new ObjectStoreFull(error) : new ObjectStoreUnavailable(error);
}
