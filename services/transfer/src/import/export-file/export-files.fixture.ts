import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parseItem, readExport, type ExportEvent, type ExportItem } from './index.js';
import type { ReadOptions } from './reading/read-export.js';

const folder = new URL('../../../../../tests/fixtures/wxr/', import.meta.url);

/** The counts of an example export, counted from its XML independently of this code. */
export interface GroundTruth {
  wxrVersion: string;
  language: string;
  siteTitle: string;
  baseBlogUrl: string;
  items: number;
  byType: Record<string, number>;
  byTypeStatus: Record<string, number>;
  creatorsUsed: Record<string, number>;
  authorsDeclared: number;
  categoriesDeclared: number;
  tagsDeclared: number;
  termsDeclared: Record<string, number>;
  assignments: Record<string, number>;
  attachments: number;
  attachmentsWithUrl: number;
  comments: number;
  commentsByStatus: Record<string, number>;
  commentsNested: number;
  postmeta: number;
  postmetaKeys: Record<string, number>;
  menus: Record<string, number>;
  sticky: number;
  withPassword: number;
  emptyTitle: number;
  emptyPostName: number;
  withParent: number;
  expected: {
    entriesByType: Record<string, number>;
    entriesByStatus: Record<string, number>;
    terms: Record<string, number>;
    sections: number;
  };
}

export const groundTruth = JSON.parse(readFileSync(new URL('ground-truth.json', folder), 'utf8')) as Record<
  string,
  GroundTruth
>;

/** The bytes of an example export, by its name without `.gz`. */
export function exampleFile(name: string): Buffer {
  const isPlain = name === 'edge-cases.xml' || name === 'wxr11-small.xml';
  return isPlain
    ? readFileSync(new URL(name, folder))
    : gunzipSync(readFileSync(new URL(`${name}.gz`, folder)));
}

/** The bytes as a stream of chunks of equal size. */
export async function* inChunks(bytes: Uint8Array | string, size = 1 << 16): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.from(bytes);
  for (let start = 0; start < buffer.length; start += size) yield buffer.subarray(start, start + size);
}

/** All events of a file. */
export async function readAll(
  bytes: Uint8Array | string,
  { chunkSize, ...options }: ReadOptions & { chunkSize?: number } = {},
): Promise<ExportEvent[]> {
  const events: ExportEvent[] = [];
  for await (const event of readExport(inChunks(bytes, chunkSize), options)) events.push(event);
  return events;
}

/** The items among events. */
export function itemsOf(events: readonly ExportEvent[]): ExportItem[] {
  return events.flatMap((event) => (event.type === 'item' ? [event.item] : []));
}

/** The namespaces of an export of version 1.2. */
export const namespaces = {
  wp: 'http://wordpress.org/export/1.2/',
  excerpt: 'http://wordpress.org/export/1.2/excerpt/',
  content: 'http://purl.org/rss/1.0/modules/content/',
  dc: 'http://purl.org/dc/elements/1.1/',
};
const bindings = Object.entries(namespaces).map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`);
const version = '<wp:wxr_version>1.2</wp:wxr_version>';

/** An export with these elements in its channel, one a line; the first is on line 4. */
export function exportWith(elements: readonly string[], head = version): string {
  const root = `<rss version="2.0" ${bindings.join(' ')}>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    root,
    `<channel>${head}`,
    ...elements,
    '</channel></rss>',
  ].join('\n');
}

/** An item parsed from the elements in it. */
export function itemOf(elements: string): ExportItem {
  return parseItem(`<item>${elements}</item>`, namespaces);
}
