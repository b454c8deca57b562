import { readMetaValue } from '../meta/meta-value.js';
import type { ExportItem } from '../reading/export-item.js';
import { mimeTypeOfName } from './media-types.js';
import { plainText } from './title.js';

/** An attachment (2.7); fields that the source lacks are null. */
export interface SourceAttachment {
  id: number | null;
  title: string | null;
  /** As written, not checked: it may name an inner address. */
  url: string | null;
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
  const url = item.attachmentUrl ?? fileUrl(item.guid);
  const filename = url === null ? null : filenameOf(url);
  const { width, height } = dimensions(readMetaValue(meta('_wp_attachment_metadata')));
  return {
    id: item.sourceId,
    title: plainText(item.title) || null,
    url,
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

function dimensions(metadata: unknown): { width: number | null; height: number | null } {
  const values: Readonly<Record<string, unknown>> =
    typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, unknown>) : {};
  return { width: pixels(values.width), height: pixels(values.height) };
}

function pixels(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : null;
}
