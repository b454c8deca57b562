import type { ObjectStore } from './object-store.js';

/** Maximum objects of one call: the limit of a request to S3. */
const batchSize = 1_000;

/** Deletes all objects whose key begins with the prefix. @throws as the methods of `ObjectStore` */
export async function deletePrefix(
  store: Pick<ObjectStore, 'list' | 'deleteMany'>,
  prefix: string,
): Promise<void> {
  let keys: string[] = [];
  for await (const { key } of store.list(prefix)) {
    keys.push(key);
    if (keys.length < batchSize) continue;
    await store.deleteMany(keys);
    keys = [];
  }
  if (keys.length > 0) await store.deleteMany(keys);
}
