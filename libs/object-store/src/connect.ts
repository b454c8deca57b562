import { folderStore } from './on-folder/folder-store.js';
import type { ObjectStore } from './port/object-store.js';

export interface ObjectStoreOptions {
  /** Where the bytes are, unless an S3 store is configured. */
  folder: string;
}

/** Opens the object store of this installation. @throws ObjectStoreUnavailable when its folder cannot be made */
export async function connectObjectStore({ folder }: ObjectStoreOptions): Promise<ObjectStore> {
  return folderStore({ folder });
}
