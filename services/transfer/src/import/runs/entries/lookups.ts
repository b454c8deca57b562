import type { Queryable } from '@quire/database';
import type { ConversionContext, SourceAttachment } from '../../conversion/index.js';
import { featuredImageKey, type ExportItem } from '../../export-file/index.js';
import type { AttachmentFacts } from '../export-index.js';
import {
  selectChildAttachments,
  selectGroupAnchors,
  selectItemsBySource,
  type StoredItem,
} from '../import-items.repository.js';
import type { ImportRow } from '../imports.repository.js';

/** Other items that the items of a batch belong to. */
export interface Relations {
  /** Type of the parent item; for one that is not in the file, of the item itself: an earlier import may have it. */
  parentTypeOf: (item: StoredItem) => string;
  /** The first item of its group of translations. */
  anchorOf: (item: StoredItem) => { type: string; id: string } | undefined;
}

/** What the items of a batch refer to elsewhere in the file. */
export interface Lookups extends Relations {
  /** What the body of an item is converted with. */
  conversionOf: (item: ExportItem, siteUrl: string) => ConversionContext;
}

/** Looks up what items refer to, with one statement of each kind for all of them. */
export async function loadLookups(
  sql: Queryable,
  row: ImportRow,
  stored: readonly StoredItem[],
  items: readonly ExportItem[],
): Promise<Lookups> {
  const { id: importId } = row;
  const attachmentIds = unique(items.flatMap(attachmentIdsOf));
  const sectionIds = unique(items.flatMap(({ content }) => numbersAfter(content, /"ref":\s*(\d+)/g)));
  const galleryOwners = items.filter(({ content }) => content.includes('[gallery'));
  const ownerIds = galleryOwners.flatMap(({ sourceId }) => (sourceId === null ? [] : [String(sourceId)]));
  const [relations, attachments, sections, children] = await Promise.all([
    loadRelations(sql, row, stored),
    selectItemsBySource(sql, importId, 'attachment', attachmentIds),
    selectItemsBySource(sql, importId, 'section', sectionIds),
    selectChildAttachments(sql, importId, ownerIds),
  ]);
  const attachmentsById = new Map(attachments.map((item) => [Number(item.sourceId), attachmentFrom(item)]));
  const sectionsById = new Map(sections.map(({ sourceId, slug }) => [Number(sourceId), slug ?? undefined]));
  return {
    ...relations,
    conversionOf: (item, siteUrl) => ({
      siteUrl,
      sectionSlug: (id) => sectionsById.get(id),
      attachment: (id) => attachmentsById.get(id) ?? undefined,
      childAttachments: () =>
        children
          .filter(({ parentId }) => parentId === String(item.sourceId))
          .flatMap((child) => attachmentFrom(child) ?? []),
      ...footnotesOf(item),
    }),
  };
}

/** Looks up the parents and the translations of items. */
export async function loadRelations(
  sql: Queryable,
  { id: importId }: ImportRow,
  stored: readonly StoredItem[],
): Promise<Relations> {
  const parentIds = unique(stored.flatMap(({ parentId }) => parentId ?? []));
  const groups = unique(stored.flatMap(({ languageGroup }) => languageGroup ?? []));
  const [parents, anchors] = await Promise.all([
    selectItemsBySource(sql, importId, 'content', parentIds),
    selectGroupAnchors(sql, importId, groups),
  ]);
  const typeById = new Map(parents.map(({ sourceId, sourceType }) => [sourceId, sourceType]));
  const anchorByGroup = new Map(
    anchors.map(({ group, sourceType, sourceId }) => [group, { type: sourceType, id: sourceId }]),
  );
  return {
    parentTypeOf: ({ parentId, sourceType }) => typeById.get(parentId) ?? sourceType,
    anchorOf: ({ languageGroup }) => (languageGroup === null ? undefined : anchorByGroup.get(languageGroup)),
  };
}

function footnotesOf({ meta }: ExportItem): { footnotes?: string } {
  const footnotes = meta.find(({ key }) => key === 'footnotes')?.value;
  return footnotes === undefined ? {} : { footnotes };
}

function attachmentFrom({ sourceId, title, facts }: StoredItem): SourceAttachment | undefined {
  const { url, alt, caption, mimeType } = facts as AttachmentFacts;
  if (url === null || sourceId === null) return undefined;
  return {
    id: Number(sourceId),
    url,
    ...(alt !== null && { alt }),
    ...(caption !== null && { caption }),
    ...(title !== null && { title }),
    ...(mimeType !== null && { mimeType }),
  };
}

/** The ids of attachments that a body may refer to, a few others among them: `wp-image-5`, `"id":5`, `ids="5,6"`. */
function attachmentIdsOf({ content, meta }: ExportItem): string[] {
  const thumbnails = meta.filter(({ key }) => key === featuredImageKey).map(({ value }) => value.trim());
  const single = numbersAfter(content, /(?:wp-image-|attachment_|"(?:id|mediaId)":\s*)(\d+)/g);
  const lists = [...content.matchAll(/\b(?:ids|include)"?\s*[=:]\s*["'[]*([\d,\s]+)/g)].flatMap(
    ([, list = '']) => list.match(/\d+/g) ?? [],
  );
  return [...thumbnails, ...single, ...lists];
}

function numbersAfter(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, digits = '']) => digits);
}

const unique = (values: readonly string[]): string[] => [...new Set(values)];
