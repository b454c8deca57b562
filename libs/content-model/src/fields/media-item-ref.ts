import { isPlainObject, type MediaUse } from './validation-context.js';
import { validationMessages, type IssueReason } from './issues.js';
import { mimeProblem } from './media-fields.js';

/** The properties of a media item in the library. */
export interface MediaItemRef {
  filename: string;
  mimeType: string;
  size: number | null;
  width: number | null;
  height: number | null;
  alt: string | null;
  blurhash: string | null;
  dominantColor: string | null;
  storageKey: string;
  url: string;
}

type MetadataKey = Exclude<keyof MediaItemRef, 'alt' | 'storageKey'>;

/** Keys with values of the library, which replace submitted ones. The address of an image is added by reads. */
const metadataKeys: Readonly<Record<MediaUse['type'], readonly MetadataKey[]>> = {
  image: ['filename', 'mimeType', 'width', 'height', 'blurhash', 'dominantColor'],
  file: ['filename', 'mimeType', 'size', 'url'],
};

/**
 * Completes an image or file from its media item (contract 7, createContent). The alternative text of the item is used
 * only if the value has none.
 * @returns the reason why the field does not accept the item, or null
 */
export function resolveMediaItem(
  { type, value, allowedMimeTypes }: MediaUse,
  item: MediaItemRef,
): IssueReason | null {
  const { mimeType, storageKey } = item;
  if (type === 'image' && !mimeType.startsWith('image/')) return validationMessages.mime(mimeType);
  copyMetadata(type, value, item);
  value['meta'] = { ...metaOf(value), storageKey };
  if (type === 'image' && value['alt'] === undefined && item.alt !== null) value['alt'] = item.alt;
  return mimeProblem({ allowedMimeTypes }, mimeType);
}

/**
 * Completes an image or file from a stored value of the same item, which may be deleted since.
 * @returns the reason why the field does not accept it, or null
 */
export function copyStoredMetadata(
  { type, value, allowedMimeTypes }: MediaUse,
  stored: MediaUse['value'],
): IssueReason | null {
  for (const fact of metadataKeys[type]) if (stored[fact] !== undefined) value[fact] = stored[fact];
  const { storageKey } = metaOf(stored);
  if (storageKey !== undefined) value['meta'] = { ...metaOf(value), storageKey };
  const { mimeType } = value;
  return typeof mimeType === 'string' ? mimeProblem({ allowedMimeTypes }, mimeType) : null;
}

/** Updates a stored image from its item: a replaced file has other dimensions and another address. */
export function hydrateImage(value: MediaUse['value'], item: MediaItemRef): void {
  copyMetadata('image', value, item);
  value['src'] = item.url;
}

function copyMetadata(type: MediaUse['type'], value: MediaUse['value'], item: MediaItemRef): void {
  for (const fact of metadataKeys[type]) {
    if (item[fact] === null) delete value[fact];
    else value[fact] = item[fact];
  }
}

function metaOf({ meta }: MediaUse['value']): Record<string, unknown> {
  return isPlainObject(meta) ? meta : {};
}

/** Whether a stored value has been completed from the library. */
export const hasStorageKey = (value: MediaUse['value']): boolean =>
  typeof metaOf(value)['storageKey'] === 'string';
