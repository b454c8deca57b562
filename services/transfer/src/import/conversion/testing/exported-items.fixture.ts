import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { attachmentOf, readExport, type ExportItem } from '../../export-file/index.js';
import type { ConversionContext } from '../conversion-context.js';

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
export async function exportedItems(file: string): Promise<ExportItem[]> {
  const bytes = createReadStream(new URL(file, folder));
  const items: ExportItem[] = [];
  for await (const event of readExport(file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes)) {
    if (event.type === 'item') items.push(event.item);
  }
  return items;
}

/** The context of an item in its file. */
export function contextOf(
  item: ExportItem,
  items: readonly ExportItem[],
  siteUrl?: string,
): ConversionContext {
  const attachments = items.flatMap((each) => {
    const { id, url, parentId } = attachmentOf(each) ?? { id: null, url: null };
    return id === null || url === null ? [] : [{ id, url, parentId }];
  });
  const footnotes = footnotesOf(item);
  return {
    ...(siteUrl === undefined ? {} : { siteUrl }),
    ...(footnotes === undefined ? {} : { footnotes }),
    sectionSlug: (id) =>
      items.some((each) => each.type === 'wp_block' && each.sourceId === id) ? `section-${id}` : undefined,
    attachment: (id) => attachments.find((each) => each.id === id),
    childAttachments: () => attachments.filter(({ parentId }) => parentId === item.sourceId),
  };
}

/** The value of the meta key `footnotes`: JSON. */
export const footnotesOf = ({ meta }: ExportItem): string | undefined =>
  meta.find(({ key }) => key === 'footnotes')?.value;

/** The items of the edge cases with a number, such as `E01`. */
export async function edgeCases(): Promise<
  (number: string) => { item: ExportItem; context: ConversionContext }
> {
  const items = await exportedItems('edge-cases.xml');
  return (number) => {
    const item = items.find(({ title }) => title.startsWith(`${number} `));
    if (!item) throw new Error(`There is no case ${number}.`);
    return { item, context: contextOf(item, items, 'https://old.example') };
  };
}
