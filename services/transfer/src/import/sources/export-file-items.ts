import type { ContentOptions, ItemInput } from '@quire/import-sources';
import { convertContent, type SourceAttachment } from '../conversion/index.js';
import {
  assignmentsOf,
  attachmentOf,
  cleanTitle,
  contentKindOf,
  featuredImageKey,
  languageOf,
  metaByKey,
  normaliseEncoding,
  OffsetSamples,
  plainText,
  readExport,
  readMetaValue,
  sourceDates,
  sourceSlug,
  targetStatus,
  type ExportEvent,
  type ExportItem,
} from '../export-file/index.js';

/** What items refer to elsewhere in the file. */
interface FileIndex {
  siteUrl: string;
  attachments: Map<number, SourceAttachment>;
  /** Attachments by the id of their parent, in menu order. */
  children: Map<number, (SourceAttachment & { menuOrder: number })[]>;
  /** Slugs of reusable blocks by id. */
  sections: Map<number, string>;
  offsets: OffsetSamples;
}

/**
 * Reads the entries of an export file in file order, one at a time, with their content as rich text. The file is read
 * twice: items may refer to attachments that follow them. Memory depends on the number of attachments, not on the size
 * of the file. A broken item is yielded as an invalid one.
 * @throws ExportFileError for a file that is no export
 */
export async function* readExportItems(
  file: Blob,
  { postTypes, includeDrafts = false, limit = Infinity }: ContentOptions,
): AsyncGenerator<ItemInput, void, undefined> {
  const index = await readIndex(file);
  let count = 0;
  for await (const event of exportEvents(file)) {
    if (count >= limit) return;
    const item = event.type === 'broken-item' ? brokenItem(event) : itemOf(event, index, postTypes);
    if (item === null || (item.status !== 'publish' && !includeDrafts)) continue;
    count += 1;
    yield item;
  }
}

/** The events of an export file, in any encoding. */
export function exportEvents(file: Blob): AsyncGenerator<ExportEvent> {
  return readExport(normaliseEncoding(file.stream()));
}

async function readIndex(file: Blob): Promise<FileIndex> {
  const index: FileIndex = {
    siteUrl: '',
    attachments: new Map(),
    children: new Map(),
    sections: new Map(),
    offsets: new OffsetSamples(),
  };
  for await (const event of exportEvents(file)) {
    if (event.type === 'channel') {
      const { baseBlogUrl, link, baseSiteUrl } = event.channel;
      index.siteUrl = baseBlogUrl || link || baseSiteUrl;
    }
    if (event.type === 'item') addToIndex(index, event.item);
  }
  for (const children of index.children.values()) children.sort((a, b) => a.menuOrder - b.menuOrder);
  return index;
}

function addToIndex({ attachments, children, sections, offsets }: FileIndex, item: ExportItem): void {
  offsets.add(item.date, item.dateGmt);
  if (item.sourceId === null) return;
  const kind = contentKindOf(item.type);
  const slug = kind === 'section' ? sourceSlug(item) : null;
  if (slug !== null) sections.set(item.sourceId, slug);
  const found = attachmentOf(item);
  if (!found?.url) return;
  const { url, alt, caption, title, mimeType, menuOrder, parentId } = found;
  const attachment = {
    id: item.sourceId,
    url,
    menuOrder,
    ...(alt !== null && { alt }),
    ...(caption !== null && { caption }),
    ...(title !== null && { title }),
    ...(mimeType !== null && { mimeType }),
  };
  attachments.set(attachment.id, attachment);
  if (parentId > 0) children.set(parentId, [...(children.get(parentId) ?? []), attachment]);
}

/** @returns null for what is no entry, or of a type that is not requested */
function itemOf(event: ExportEvent, index: FileIndex, postTypes: readonly string[]): ItemInput | null {
  if (event.type !== 'item' || !postTypes.includes(event.item.type)) return null;
  const { item, offset } = event;
  if (contentKindOf(item.type) !== 'entry') return null;
  const { publishedAt, modifiedAt } = sourceDates(item, index.offsets);
  const status = statusOf(item, publishedAt);
  if (status === null) return null;
  const { locale, group } = languageOf(item);
  const featuredImage = featuredImageOf(item, index);
  return {
    sourceId: item.sourceId ?? `offset-${offset}`,
    postType: item.type,
    status,
    slug: sourceSlug(item) ?? '',
    title: cleanTitle(item.title).title,
    content: contentOf(item, index),
    excerpt: plainText(item.excerpt) || undefined,
    // A draft may have no date yet.
    date: publishedAt ?? modifiedAt ?? new Date(),
    modified: modifiedAt ?? undefined,
    author: item.creator ?? undefined,
    ...termsOf(item),
    meta: Object.fromEntries([...metaByKey(item.meta)].map(([key, values]) => [key, metaValueOf(values)])),
    featuredImage,
    parentId: item.parentId > 0 ? item.parentId : undefined,
    menuOrder: item.menuOrder,
    locale,
    translationGroup: group,
  };
}

/** It fails the validation of items, with its place in the file as the title. */
function brokenItem({ line, reason }: { line: number; reason: string }): ItemInput {
  return { title: `Line ${line}: ${reason}`, status: 'publish' } as ItemInput;
}

/** The status of an item; null for items that the source has in its trash or never showed. A password is private. */
function statusOf(item: ExportItem, publishedAt: Date | null): ItemInput['status'] | null {
  const { status, warnings } = targetStatus(item, publishedAt, new Date());
  if (status === 'skipped' || status === 'trashed') return null;
  if (warnings.includes('PASSWORD_REMOVED')) return 'private';
  if (status !== 'draft') return status === 'published' ? 'publish' : 'future';
  return item.status === 'pending' || item.status === 'private' ? item.status : 'draft';
}

function contentOf(
  item: ExportItem,
  { siteUrl, attachments, children, sections }: FileIndex,
): ItemInput['content'] {
  const footnotes = item.meta.find(({ key }) => key === 'footnotes')?.value;
  return convertContent(item.content, {
    siteUrl,
    sectionSlug: (id) => sections.get(id),
    attachment: (id) => attachments.get(id),
    childAttachments: () => children.get(item.sourceId ?? 0) ?? [],
    ...(footnotes !== undefined && { footnotes }),
  }).blocks;
}

function termsOf(item: ExportItem): Pick<ItemInput, 'categories' | 'tags' | 'customTaxonomies'> {
  const byTaxonomy = new Map<string, string[]>();
  for (const { sourceTaxonomy, slug, name } of assignmentsOf(item))
    byTaxonomy.set(sourceTaxonomy, [...(byTaxonomy.get(sourceTaxonomy) ?? []), slug ?? name]);
  const { category: categories, post_tag: tags, ...customTaxonomies } = Object.fromEntries(byTaxonomy);
  return { categories, tags, ...(Object.keys(customTaxonomies).length > 0 && { customTaxonomies }) };
}

function metaValueOf(values: readonly string[]): unknown {
  const read = values.map(readMetaValue);
  return read.length === 1 ? read[0] : read;
}

function featuredImageOf(item: ExportItem, { attachments }: FileIndex): string | undefined {
  const id = item.meta.find(({ key }) => key === featuredImageKey)?.value.trim() ?? '';
  return attachments.get(Number(id))?.url;
}
