import { createLocalStore } from './local/local-store.js';
import { createS3Store, type S3StoreOptions } from './s3/s3-store.js';
import type { ObjectStore } from './port/object-store.js';

export interface ObjectStoreOptions {
  /** The S3 store, if configured; else the objects are in the folder. */
  s3: Omit<S3StoreOptions, 'timeouts'> | undefined;
  folder: string;
}

/**
 * Opens the object store of this installation. An S3 store is contacted at its first use.
 * @throws ObjectStoreUnavailable when the folder cannot be created
 */
export async function connectObjectStore({ s3, folder }: ObjectStoreOptions): Promise<ObjectStore> {
  return s3 ? createS3Store(s3) : createLocalStore({ folder });
}
