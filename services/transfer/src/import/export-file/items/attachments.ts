import { fileKeyOf, isStorableText } from '@quire/values';
import { readMetaValue } from '../meta/meta-value.js';
import type { ExportItem } from '../reading/export-item.js';
import { mimeTypeOfName } from './media-types.js';
import { plainText } from './title.js';

/** Themes and plugins of a source add some dozens of sizes. */
const maxVariants = 64;

/** An attachment (2.7); fields that the source lacks are null. */
export interface SourceAttachment {
  id: number | null;
  title: string | null;
  /** As written, not checked: it may name an inner address. */
  url: string | null;
  /** A second address of the file, from its guid. */
  guidUrl: string | null;
  /** The path of the file below the folder of uploads: `2024/05/photo.jpg`. */
  file: string | null;
  /** Names of reduced images, and of the original, that do not follow from the file's own name. */
  variants: string[];
  /** The last part of the URL's path, decoded. */
  filename: string | null;
  /** By the extension of the name. */
  mimeType: string | null;
  alt: string | null;
  /** Plain text of the excerpt. */
  caption: string | null;
  /** Plain text of the content. */
  description: string | null;
  width: number | null;
  height: number | null;
  /** The id of the item that it was uploaded to, 0 for none. */
  parentId: number;
  menuOrder: number;
}

/** Reads an attachment; null if the item is of another type. */
export function attachmentOf(item: ExportItem): SourceAttachment | null {
  if (item.type !== 'attachment') return null;
  const meta = (key: string) => item.meta.find((entry) => entry.key === key)?.value ?? '';
  const guidUrl = fileUrl(item.guid);
  const url = item.attachmentUrl ?? guidUrl;
  const filename = url === null ? null : filenameOf(url);
  const file = uploadedFile(meta('_wp_attached_file')) ?? uploadedFile(url ?? '');
  const metadata = recordOf(readMetaValue(meta('_wp_attachment_metadata')));
  const { width, height } = dimensions(metadata);
  return {
    id: item.sourceId,
    title: plainText(item.title) || null,
    url,
    guidUrl: guidUrl === url ? null : guidUrl,
    file,
    variants: variantsOf(metadata, [url, guidUrl, file]),
    filename,
    mimeType: filename === null ? null : mimeTypeOfName(filename),
    alt: plainText(meta('_wp_attachment_image_alt')) || null,
    caption: plainText(item.excerpt) || null,
    description: plainText(item.content) || null,
    width,
    height,
    parentId: item.parentId,
    menuOrder: item.menuOrder,
  };
}

/** A guid is the address of the file, or the address of a page about it: only a known extension shows the former. */
function fileUrl(guid: string): string | null {
  if (!/^https?:\/\//i.test(guid)) return null;
  const filename = filenameOf(guid);
  return filename !== null && mimeTypeOfName(filename) !== null ? guid : null;
}

function filenameOf(url: string): string | null {
  const [path = ''] = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  const last = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last).normalize('NFC') || null;
  } catch {
    return last;
  }
}

/** The path below the folder of uploads; null for a path of the server, and an address, without that folder. */
function uploadedFile(path: string): string | null {
  const [, below] = /\/wp-content\/uploads\/([^?#]+)/.exec(path) ?? [];
  const file = below ?? (/^\/|^[a-z][a-z0-9+.-]*:/i.test(path) ? '' : path.trim());
  return file === '' || !isStorableText(file) ? null : file;
}

/** @param addresses of the file: variants that `UrlMap` finds by one of them are left out */
function variantsOf(metadata: MetadataValues, addresses: readonly (string | null)[]): string[] {
  const sizes = Object.values(recordOf(metadata.sizes)).map((size) => recordOf(size).file);
  const keyOfName = (name: string) => fileKeyOf(`/${name.slice(name.lastIndexOf('/') + 1)}`);
  const known = new Set(addresses.flatMap((address) => (address === null ? [] : keyOfName(address))));
  const names = [...sizes, metadata.original_image].filter(
    (name): name is string => typeof name === 'string' && /^[^/?#]+$/.test(name) && isStorableText(name),
  );
  return [...new Set(names)].filter((name) => !known.has(keyOfName(name))).slice(0, maxVariants);
}

type MetadataValues = Readonly<Record<string, unknown>>;

const recordOf = (value: unknown): MetadataValues =>
  typeof value === 'object' && value !== null ? (value as MetadataValues) : {};

function dimensions({ width, height }: MetadataValues): { width: number | null; height: number | null } {
  return { width: pixels(width), height: pixels(height) };
}

function pixels(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : null;
}
