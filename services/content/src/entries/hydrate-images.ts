import { libraryImages, canContainLibraryImages, hydrateImage } from '@quire/content-model';
import type { Context } from '@quire/context';
import type { MediaClient } from '../clients/index.js';
import type { CollectionDefinition } from '../schema/index.js';
import type { EntryValues } from './entry-row.js';

/**
 * Shows images of the library, in values that are about to be answered, as they are now (document 3, image): one that
 * was replaced has other dimensions and another address, which is not stored. Images that are gone, or not known while
 * the media service is away, are as they were stored, without an address.
 */
export async function hydrateImages(
  ctx: Context,
  media: MediaClient,
  { columns, blockFields }: CollectionDefinition,
  answered: readonly EntryValues[],
): Promise<void> {
  const images = answered.flatMap((values) => libraryImages(columns, values, blockFields));
  if (images.length === 0) return;
  const files = await media.byIdsOrEmpty(
    ctx,
    images.map(({ mediaId }) => mediaId),
  );
  for (const { mediaId, value } of images) {
    const file = files.get(mediaId);
    if (file) hydrateImage(value, file);
  }
}

/** Differs when entries of the collection may show their images differently; see MediaClient.state. */
export async function imageState(
  ctx: Context,
  media: MediaClient,
  { columns }: CollectionDefinition,
): Promise<number | null> {
  return columns.some(canContainLibraryImages) ? media.state(ctx) : null;
}
