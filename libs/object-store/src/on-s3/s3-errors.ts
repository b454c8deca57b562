import { ObjectStoreFull, ObjectStoreUnavailable } from '../port/object-store-errors.js';

const missing = ['NoSuchKey', 'NotFound'];
const full = ['QuotaExceeded', 'StorageFull', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded'];

/** What the store called the failure; undefined when it did not answer. */
export function codeOf(error: unknown): string | undefined {
  // The client throws what stands in the answer as an object without a class when the status was 200.
  const { code, Code } = (error ?? {}) as { code?: unknown; Code?: unknown };
  return [code, Code].find((each) => typeof each === 'string');
}

/** Answers undefined when the store says that there is no such object. @throws as `refuse` otherwise */
export function undefinedIfMissing(error: unknown): undefined {
  if (!missing.includes(codeOf(error) ?? '')) refuse(error);
  return undefined;
}

/** Throws what went wrong as the port names it. */
export function refuse(error: unknown): never {
  if (error instanceof ObjectStoreUnavailable || error instanceof ObjectStoreFull) throw error;
  if (codeOf(error) === 'InvalidRange') throw new RangeError('The range is not within the object');
  throw full.includes(codeOf(error) ?? '') ? new ObjectStoreFull(error) : new ObjectStoreUnavailable(error);
}
