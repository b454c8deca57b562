import { isPlainObject, type MediaUse } from './validation-context.js';
import { validationMessages, type IssueReason } from './issues.js';
import { mimeProblem } from './media-fields.js';

/** What the media library knows of an item. */
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

/** What the library says of its items, whatever a client sent. The address of an image is told when it is read. */
const metadataKeys: Readonly<Record<MediaUse['type'], readonly MetadataKey[]>> = {
  image: ['filename', 'mimeType', 'width', 'height', 'blurhash', 'dominantColor'],
  file: ['filename', 'mimeType', 'size', 'url'],
};

/**
 * Completes an image or file from the item that it names (contract 7, createContent); its alternative text only where
 * it has none of its own.
 * @returns why the field does not accept the item, or null
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
 * Completes an image or file from what is stored of the same item already, be the item still there or not.
 * @returns why the field does not accept it, or null
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

/** Shows an image that is stored as its item is now: one that was replaced has other dimensions and another address. */
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
