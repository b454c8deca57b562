import { ObjectStoreFull, ObjectStoreUnavailable } from '../port/object-store-errors.js';

const missing = ['NoSuchKey', 'NotFound'];
const full = ['QuotaExceeded', 'StorageFull', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded'];

/** The store's code of the failure; undefined without a response. */
export function errorCodeOf(error: unknown): string | undefined {
  // For a response of status 200 the client throws the parsed error as an object without a class.
  const { code, Code } = (error ?? {}) as { code?: unknown; Code?: unknown };
  return [code, Code].find((each) => typeof each === 'string');
}

/** Returns undefined for the error of a missing object. @throws as `throwStoreError` otherwise */
export function undefinedIfMissing(error: unknown): undefined {
  if (!missing.includes(errorCodeOf(error) ?? '')) throwStoreError(error);
  return undefined;
}

/** Maps an S3 error to the port's error. */
export function throwStoreError(error: unknown): never {
  if (error instanceof ObjectStoreUnavailable || error instanceof ObjectStoreFull) throw error;
  if (errorCodeOf(error) === 'InvalidRange') throw new RangeError('Range exceeds the object');
  throw full.includes(errorCodeOf(error) ?? '')
    ? new ObjectStoreFull(error)
    : new ObjectStoreUnavailable(error);
}
