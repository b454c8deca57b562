import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { writeRecords } from '@quire/site-records';
import { parseMediaType, storageKeyForm } from '@quire/values';
import { MediaItem, selectExistingIds } from '../../items/index.js';
import { cancelObjectDeletions, type MediaObjects } from '../../objects/index.js';
import { copyMediaObjects, type CopiedItem, type MediaItemRecord } from './copy-media-objects.js';

/** Items whose objects are copied at the same time, and that one transaction inserts. */
const itemsAtATime = 16;

/**
 * Writes items of a package as ready ones, each with an object of its own. Items that exist already remain unchanged,
 * and their objects are not copied again. A call that fails in between has written the items before.
 * @param mediaPrefix prefix of the objects `<prefix><sha256>` with the bytes
 * @throws QuireError TRANSFER_RECORD_INVALID, TRANSFER_STORAGE_ERROR, STORAGE_QUOTA_EXCEEDED, SERVICE_UNAVAILABLE,
 *   INVALID_STORAGE_KEY for the prefix of another site
 */
export async function writeMediaItems(
  ctx: Context,
  objects: MediaObjects,
  { records, mediaPrefix }: { records: readonly string[]; mediaPrefix: string },
): Promise<void> {
  if (!mediaPrefix.startsWith(`${ctx.principal.tenant.id}/`))
    throw new QuireError('INVALID_STORAGE_KEY', 'mediaPrefix: is not a prefix of this site');
  const items = records.map((text) => JSON.parse(text) as MediaItemRecord);
  items.forEach(assertServable);
  const existing = await selectExistingIds(
    ctx.db,
    items.map(({ id }) => id),
  );
  const missing = items.filter(({ id }) => !existing.has(id));
  for (let start = 0; start < missing.length; start += itemsAtATime) {
    const batch = missing.slice(start, start + itemsAtATime);
    await insertItems(ctx, objects, await copyMediaObjects(ctx, objects, batch, mediaPrefix));
  }
}

/** @throws QuireError TRANSFER_RECORD_INVALID for a type or key that the headers or addresses of files cannot have */
function assertServable({ id, mimeType, storageKey }: MediaItemRecord): void {
  if (parseMediaType(mimeType) === mimeType && storageKeyForm.test(storageKey)) return;
  throw new QuireError('TRANSFER_RECORD_INVALID', `The media item ${id} has an invalid type or storage key`, {
    details: { kind: 'media_items', key: id },
  });
}

async function insertItems(
  ctx: Context,
  objects: MediaObjects,
  copies: readonly CopiedItem[],
): Promise<void> {
  const records = copies.map(({ item, objectKey }) => JSON.stringify({ ...item, objectKey }));
  const used = await ctx.db.transaction(async (tx) => {
    const options = { added: ['objectKey'], computed: { status: "'ready'" } };
    await writeRecords(tx, 'media_items', MediaItem, { records, pass: 'records' }, options);
    const inserted = await tx.query<{ objectKey: string }>(
      'SELECT object_key AS "objectKey" FROM media_items WHERE id = ANY($1) AND object_key = ANY($2)',
      [copies.map(({ item }) => item.id), copies.map(({ objectKey }) => objectKey)],
    );
    const keys = inserted.map(({ objectKey }) => objectKey);
    await cancelObjectDeletions(tx, keys);
    return new Set(keys);
  });
  // Another process has inserted an item in the meantime.
  const unused = copies.filter(({ objectKey }) => !used.has(objectKey));
  await Promise.all(unused.map(({ objectKey }) => objects.remove(ctx, objectKey)));
}
