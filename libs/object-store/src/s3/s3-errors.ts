import { ObjectStoreFull, ObjectStoreUnavailable } from '../port/object-store-errors.js';

const missing = ['NoSuchKey', 'NotFound'];
const full = ['QuotaExceeded', 'StorageFull', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded'];

/** What the store called the failure; undefined when it did not answer. */
export function errorCodeOf(error: unknown): string | undefined {
  // The client throws what stands in the answer as an object without a class when the status was 200.
  const { code, Code } = (error ?? {}) as { code?: unknown; Code?: unknown };
  return [code, Code].find((each) => typeof each === 'string');
}

/** Answers undefined when the store says that there is no such object. @throws as `throwStoreError` otherwise */
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
