import { canContainLibraryImages, hydrateImage, libraryImages } from '@quire/content-model';
import type { Context } from '@quire/context';
import type { MediaClient } from '../clients/index.js';
import type { CollectionDefinition } from '../schema/index.js';
import type { EntryValues } from './entry-row.js';

/** Media items by id. */
export type ImageFiles = Awaited<ReturnType<MediaClient['byIdsOrEmpty']>>;

type WithImages = Pick<CollectionDefinition, 'columns' | 'blockFields'>;

/**
 * Updates library images in the values of a response (document 3, image): the present file may have another URL, which
 * is not stored, and other dimensions. Deleted images stay as they were stored, without a URL, and so do all images
 * while the media service is unavailable.
 * @returns whether all images have their files
 */
export async function hydrateImages(
  ctx: Context,
  media: MediaClient,
  definition: WithImages,
  values: readonly EntryValues[],
): Promise<boolean> {
  const images = imagesIn(definition, values);
  if (images.length === 0) return true;
  const files = await media.byIdsOrEmpty(ctx, mediaIdsOf(images));
  updateImages(images, files);
  return images.every(({ mediaId }) => files.has(mediaId));
}

/** Fetches the files of the library images in values; empty without such images. */
export async function fetchImageFiles(
  ctx: Context,
  media: MediaClient,
  definition: WithImages,
  values: readonly EntryValues[],
): Promise<ImageFiles> {
  const images = imagesIn(definition, values);
  return images.length > 0 ? media.byIdsOrEmpty(ctx, mediaIdsOf(images)) : new Map();
}

/** As `hydrateImages`, with files that were fetched before. */
export function applyImageFiles(
  definition: WithImages,
  values: readonly EntryValues[],
  files: ImageFiles,
): void {
  if (files.size > 0) updateImages(imagesIn(definition, values), files);
}

const imagesIn = ({ columns, blockFields }: WithImages, values: readonly EntryValues[]) =>
  values.flatMap((each) => libraryImages(columns, each, blockFields));

type Images = ReturnType<typeof imagesIn>;

const mediaIdsOf = (images: Images) => images.map(({ mediaId }) => mediaId);

function updateImages(images: Images, files: ImageFiles): void {
  for (const { mediaId, value } of images) {
    const file = files.get(mediaId);
    if (file) hydrateImage(value, file);
  }
}

/** A number that changes when entries of the collection may show their images differently; see MediaClient.state. */
export async function imageState(
  ctx: Context,
  media: MediaClient,
  definition: Pick<CollectionDefinition, 'columns'>,
): Promise<number | null> {
  return canShowImages(definition) ? media.state(ctx) : null;
}

/** Whether entries of the collection may have images of the media library. */
export function canShowImages({ columns }: Pick<CollectionDefinition, 'columns'>): boolean {
  return columns.some(canContainLibraryImages);
}
