import { libraryImages } from '@quire/content-model';
import type { Context } from '@quire/context';
import type { MediaDirectory } from '../media/index.js';
import type { CollectionDefinition } from '../schema/index.js';
import type { EntryValues } from './entry-row.js';

/**
 * Puts the addresses of images of the library into values that are about to be answered (document 3, image): they are not
 * stored, because an image that was replaced has another. Images that are gone, or not known while the media service is away, go
 * without one.
 */
export async function addImageSources(
  ctx: Context,
  media: MediaDirectory,
  { columns, blockFields }: CollectionDefinition,
  answered: readonly EntryValues[],
): Promise<void> {
  const images = answered.flatMap((values) => libraryImages(columns, values, blockFields));
  if (images.length === 0) return;
  const files = await media.toShow(
    ctx,
    images.map(({ mediaId }) => mediaId),
  );
  for (const { mediaId, value } of images) {
    const file = files.get(mediaId);
    if (file) value['src'] = file.url;
  }
}
