import type { Schemas } from '@quire/api-client';
import type { Field } from '../api/bootstrap.js';

/** The value of an image or file field: a file of the library, or one at another address. */
export interface MediaValue {
  provider?: string;
  /** Of the library; empty for another address. */
  id: string;
  src?: string;
  url?: string;
  alt?: string;
  filename?: string;
  mimeType?: string;
  size?: number;
  width?: number;
  height?: number;
  darkVariant?: MediaValue | null;
  [name: string]: unknown;
}

/** The widths of variants that the panel shows. */
const thumbnailWidth = 256;
const previewWidth = 640;

/** Types that every image field and every file field accepts, unless it names its own. */
const defaultTypes: Partial<Record<Field['type'], readonly string[]>> = { image: ['image/'] };

/** A value as the panel reads it. @returns undefined for anything else, such as the address that an import has left */
export function mediaValueOf(value: unknown): MediaValue | undefined {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
    ? (value as MediaValue)
    : undefined;
}

/** The types that a field accepts: exact ones, or beginnings with a slash at the end; none for all. */
export function acceptedTypes({ type, validation }: Pick<Field, 'type' | 'validation'>): readonly string[] {
  const own = validation?.['allowedMimeTypes'];
  if (Array.isArray(own)) return own.filter((each) => typeof each === 'string');
  return defaultTypes[type] ?? [];
}

/** Accepted types for an input of files. */
export function acceptAttribute(types: readonly string[]): string {
  return types.map((type) => (type.endsWith('/') ? `${type}*` : type)).join(',');
}

/** The value for a file of the library, with the text that describes the image. */
export function toValue({ id, alt, filename, mimeType, width, height, size, url }: LibraryFile): MediaValue {
  return {
    provider: 'local',
    id,
    // The server derives it; it is here until the response.
    src: url,
    filename,
    mimeType,
    ...(alt !== null && { alt }),
    ...(width !== null && { width }),
    ...(height !== null && { height }),
    ...(size !== null && { size }),
  };
}

type LibraryFile = Pick<
  Schemas['MediaItem'],
  'id' | 'alt' | 'filename' | 'mimeType' | 'width' | 'height' | 'size' | 'url'
>;

/** The address of a small form of an image. @param address of a file of this site; others are as they are */
export function thumbnailOf(address: string, width: 'thumbnail' | 'preview'): string {
  if (new URL(address, location.href).origin !== location.origin) return address;
  return `${address}?w=${width === 'thumbnail' ? thumbnailWidth : previewWidth}&format=webp`;
}
