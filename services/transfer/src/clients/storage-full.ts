import type { Context } from '@quire/context';
import { mediaApi } from '@quire/internal-api';
import type { InternalApiClient } from '@quire/service-client';

/** The error of an import that ends because the storage is full (contract 6). */
export interface StorageFull {
  code: 'STORAGE_QUOTA_EXCEEDED';
  message: string;
  /** Bytes; the limit is null where the store does not say when it is full. */
  details: { usedBytes: number; limitBytes: number | null };
}

/** Describes a full storage with the space that the site takes. @throws QuireError SERVICE_UNAVAILABLE */
export async function describeFullStorage(ctx: Context, media: InternalApiClient): Promise<StorageFull> {
  const details = await media.call(mediaApi.getStorageUse, ctx);
  const message = `The storage is full: the files of this site take ${details.usedBytes} bytes`;
  return { code: 'STORAGE_QUOTA_EXCEEDED', message, details };
}
