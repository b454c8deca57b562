import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { ObjectNotFound } from '@quire/object-store';
import type { SiteRecord } from '@quire/site-package';
import type { MediaObjects } from '../../objects/index.js';

export type MediaItemRecord = SiteRecord<'media_items'>;

/** An item whose bytes are stored under a key of the media service. */
export interface CopiedItem {
  item: MediaItemRecord;
  objectKey: string;
}

/** Time to copy the objects of some items and to insert these. */
const reservationSeconds = 3600;

/**
 * Copies the objects of items, all at the same time, to keys of the media service. The copies are deleted unless their
 * scheduled deletion is cancelled.
 * @param mediaPrefix prefix of the objects `<prefix><sha256>`
 * @throws QuireError TRANSFER_STORAGE_ERROR for a missing object, TRANSFER_RECORD_INVALID for one of another size,
 *   STORAGE_QUOTA_EXCEEDED, SERVICE_UNAVAILABLE; the copies that exist are deleted then
 */
export async function copyMediaObjects(
  ctx: Context,
  objects: MediaObjects,
  items: readonly MediaItemRecord[],
  mediaPrefix: string,
): Promise<CopiedItem[]> {
  const keys = await objects.reserveMany(ctx, items.length, { afterSeconds: reservationSeconds });
  const copies = items.map((item, index) => ({ item, objectKey: keys[index] ?? '' }));
  // A copy that goes on after the deletion of its object would stay for ever: all of them end first.
  const results = await Promise.allSettled(copies.map((copy) => copyObject(objects, copy, mediaPrefix)));
  const failure = results.find((result) => result.status === 'rejected');
  if (!failure) return copies;
  // A failed copy may still appear in the store: its scheduled deletion comes late enough.
  const stored = copies.filter((_, index) => results[index]?.status === 'fulfilled');
  await Promise.all(stored.map(({ objectKey }) => objects.remove(ctx, objectKey)));
  throw failure.reason;
}

async function copyObject(
  objects: MediaObjects,
  { item: { id, sha256, size }, objectKey }: CopiedItem,
  mediaPrefix: string,
): Promise<void> {
  const source = `${mediaPrefix}${sha256}`;
  try {
    const stored = await objects.stat(source);
    if (!stored) throw new ObjectNotFound(source);
    // The size of an item is the length of responses with its bytes.
    if (stored.size !== size)
      throw new QuireError(
        'TRANSFER_RECORD_INVALID',
        `The media item ${id} has another size than its bytes`,
        {
          details: { kind: 'media_items', key: id },
        },
      );
    await objects.copy(source, objectKey);
  } catch (error) {
    throw copyError(error, sha256);
  }
}

function copyError(error: unknown, sha256: string): unknown {
  if (error instanceof ObjectNotFound) {
    const message = `The object store has no bytes of the media file ${sha256}`;
    return new QuireError('TRANSFER_STORAGE_ERROR', message, { details: { sha256 }, cause: error });
  }
  if (error instanceof QuireError && error.code === 'NO_STORAGE')
    return new QuireError('STORAGE_QUOTA_EXCEEDED', 'The object store has no space left', { cause: error });
  return error;
}
