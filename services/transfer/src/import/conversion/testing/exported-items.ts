import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { XMLParser } from 'fast-xml-parser';
import type { ConversionContext } from '../conversion-context.js';

/** An item of an export file, as far as the conversion of its body needs it. */
export interface ExportedItem {
  id: number;
  title: string;
  type: string;
  body: string;
  parentId: number;
  attachmentUrl: string;
  footnotes: string | undefined;
}

export const exportFiles = [
  'wxr11-small.xml',
  'ja-classic.xml.gz',
  'blocks-wp64.xml.gz',
  'mixed-blocks.xml.gz',
  'products.xml.gz',
  'edge-cases.xml',
];

const folder = new URL('../../../../../../tests/fixtures/wxr/', import.meta.url);

/** The items of an export file in `tests/fixtures/wxr`. */
export function exportedItems(file: string): ExportedItem[] {
  const bytes = readFileSync(new URL(file, folder));
  const xml = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const parser = new XMLParser({
    parseTagValue: false,
    trimValues: false,
    isArray: (name) => name === 'item' || name === 'wp:postmeta',
    processEntities: { enabled: true, maxTotalExpansions: Infinity, maxExpandedLength: Infinity },
  });
  const { rss } = parser.parse(xml) as { rss: { channel: { item: Record<string, unknown>[] } } };
  return rss.channel.item.map(exportedItem);
}

function exportedItem(item: Record<string, unknown>): ExportedItem {
  const metas = (item['wp:postmeta'] ?? []) as Record<string, unknown>[];
  const footnotes = metas.find((meta) => textOf(meta['wp:meta_key']).trim() === 'footnotes');
  return {
    id: Number(textOf(item['wp:post_id'])),
    title: textOf(item['title']),
    type: textOf(item['wp:post_type']).trim() || 'post',
    body: textOf(item['content:encoded']),
    parentId: Number(textOf(item['wp:post_parent'])),
    attachmentUrl: textOf(item['wp:attachment_url']).trim(),
    footnotes: footnotes && textOf(footnotes['wp:meta_value']),
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The context of an item in its file. */
export function contextOf(
  item: ExportedItem,
  items: readonly ExportedItem[],
  siteUrl?: string,
): ConversionContext {
  const attachments = items
    .filter(({ type, attachmentUrl }) => type === 'attachment' && attachmentUrl !== '')
    .map(({ id, attachmentUrl, parentId }) => ({ id, url: attachmentUrl, parentId }));
  return {
    ...(siteUrl === undefined ? {} : { siteUrl }),
    ...(item.footnotes === undefined ? {} : { footnotes: item.footnotes }),
    sectionSlug: (id) =>
      items.some((each) => each.type === 'wp_block' && each.id === id) ? `section-${id}` : undefined,
    attachment: (id) => attachments.find((each) => each.id === id),
    childAttachments: () => attachments.filter(({ parentId }) => parentId === item.id),
  };
}

/** The item of the edge cases with a number, such as `E01`. */
export function edgeCase(number: string): { item: ExportedItem; context: ConversionContext } {
  const items = exportedItems('edge-cases.xml');
  const item = items.find(({ title }) => title.startsWith(`${number} `));
  if (!item) throw new Error(`There is no case ${number}.`);
  return { item, context: contextOf(item, items, 'https://old.example') };
}
