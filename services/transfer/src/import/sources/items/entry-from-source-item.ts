import type { Item } from '@quire/import-sources';
import type { contentImportApi } from '@quire/internal-api';
import xxhash from 'xxhash-wasm';
import { countMediaReferences } from '../../conversion/index.js';
import {
  cleanTitle,
  fieldSlugOf,
  isFieldKey,
  plainText,
  sourceSlug,
  taxonomyName,
  termSlug,
} from '../../export-file/index.js';
import { termsByTaxonomy } from './source-item-index.js';

type ImportedEntry = contentImportApi.ImportedEntry;
type SourceKey = contentImportApi.SourceKey;

const hashes = await xxhash();
/** Changes when the same item is converted in another way. */
const conversionVersion = 1;

/** What an item of a source is converted with. */
export interface SourceItemContext {
  collection: string;
  /** Slugs of the collection's fields. */
  fields: { has: (slug: string) => boolean };
  /** Locale of items that name none, or an unknown one. */
  locale: string;
  /** The stored form of a locale of the source; undefined for one that the site does not have. */
  storedLocale: (locale: string) => string | undefined;
  now: Date;
  /** Byline and user of the item's author. */
  credit: { bylineId: string; authorId: string | null } | undefined;
  /** Type of the parent item. */
  parentType: string;
  /** The first item of its group of translations. */
  anchor: SourceKey | undefined;
}

/**
 * Converts an item of a source to an entry (sheet import-and-fields, 7). Its content is rich text already; values are
 * validated when the entry is written, as writes of the API are. Meta values go into the field of their key, and others
 * are kept in the import record.
 * @param position place of the item in the source, for an item without a slug and a title
 */
export function entryFromSourceItem(
  item: Item,
  position: number,
  context: SourceItemContext,
): {
  entry: ImportedEntry;
  warnings: { code: string; message: string }[];
  mediaReferences: number;
  original: () => NonNullable<ImportedEntry['original']>;
} {
  const warnings: { code: string; message: string }[] = [];
  const warn = (code: string, message: string) => void warnings.push({ code, message });
  const { collection, credit } = context;
  const { title, isChanged } = cleanTitle(item.title);
  if (isChanged) warn('TITLE_FIXED', `The title '${item.title.trim()}' became '${title}'`);
  const { data, remainder } = valuesOf(item, title, context);
  const names = { slug: item.slug, title: item.title, type: item.postType, sourceId: null };
  const entry: ImportedEntry = {
    source: { type: item.postType, id: item.sourceId },
    fingerprint: hashes.h64ToString(JSON.stringify([conversionVersion, collection, item])),
    collection,
    ...languageFacts(item, context, warn),
    slug: sourceSlug(names) ?? `${collection}-${position}`,
    title,
    data,
    ...datesOf(item, context, warn),
    authorId: credit?.authorId ?? null,
    bylines: credit ? [credit.bylineId] : [],
    taxonomies: taxonomiesOf(item),
    parent: item.parentId === undefined ? null : { type: context.parentType, id: item.parentId },
    remainder,
    original: null,
    failure: null,
  };
  const original = () => ({
    content: JSON.stringify(item.content),
    excerpt: item.excerpt ?? '',
    meta: item.meta ?? {},
  });
  const mediaReferences = countMediaReferences(item.content) + (item.featuredImage ? 1 : 0);
  return { entry, warnings, mediaReferences, original };
}

type Warn = (code: string, message: string) => void;

function languageFacts(
  { locale: given, sourceId, postType }: Item,
  { locale: fallback, storedLocale, anchor }: SourceItemContext,
  warn: Warn,
): Pick<ImportedEntry, 'locale' | 'translationOf'> {
  const known = given === undefined ? fallback : storedLocale(given);
  if (known === undefined) warn('LOCALE_UNKNOWN', `The locale '${given ?? ''}' became '${fallback}'`);
  const isAnchor = anchor?.id === sourceId && anchor.type === postType;
  return { locale: known ?? fallback, translationOf: anchor && !isAnchor ? anchor : null };
}

function datesOf(
  { status: given, date, modified }: Item,
  { now }: SourceItemContext,
  warn: Warn,
): Pick<ImportedEntry, 'status' | 'createdAt' | 'updatedAt' | 'publishedAt' | 'scheduledAt'> {
  const isScheduled = given === 'future' && new Date(date) > now;
  const isPublished = given === 'publish';
  if (!isScheduled && !isPublished && given !== 'draft')
    warn('STATUS_CHANGED', `The status '${given}' became draft`);
  return {
    status: isPublished ? 'published' : isScheduled ? 'scheduled' : 'draft',
    createdAt: isScheduled ? null : date,
    updatedAt: modified ?? null,
    publishedAt: isPublished ? date : null,
    scheduledAt: isScheduled ? date : null,
  };
}

function valuesOf(
  item: Item,
  title: string,
  { fields }: SourceItemContext,
): { data: Record<string, unknown>; remainder: Record<string, unknown> } {
  const { content, excerpt, featuredImage, meta = {}, menuOrder } = item;
  const base = {
    title,
    content,
    excerpt: plainText(excerpt ?? '') || null,
    featured_image: featuredImage === undefined ? null : { provider: 'external', id: '', src: featuredImage },
  };
  const isField = (slug: string) => fields.has(slug);
  const fieldOfKey = (key: string) =>
    isFieldKey(key) && isField(fieldSlugOf(key)) ? fieldSlugOf(key) : undefined;
  const rest = Object.entries(meta).filter(([key]) => fieldOfKey(key) === undefined);
  const lost = Object.entries(base).filter(([slug, value]) => !isField(slug) && value !== null);
  return {
    data: Object.fromEntries([
      ...Object.entries(meta).flatMap(([key, value]) => {
        const slug = fieldOfKey(key);
        return slug === undefined ? [] : [[slug, value] as const];
      }),
      ...Object.entries(base).filter(([slug, value]) => isField(slug) && value !== null),
    ]),
    remainder: {
      ...Object.fromEntries(lost),
      ...(menuOrder !== undefined && menuOrder !== 0 && { menuOrder }),
      ...(rest.length > 0 && { meta: Object.fromEntries(rest) }),
    },
  };
}

function taxonomiesOf(item: Item): Record<string, string[]> {
  const slugs = new Map<string, Set<string>>();
  for (const [source, names] of termsByTaxonomy(item)) {
    const found = names.flatMap((name) => termSlug(null, name) ?? []);
    const taxonomy = taxonomyName(source);
    if (found.length > 0) slugs.set(taxonomy, new Set([...(slugs.get(taxonomy) ?? []), ...found]));
  }
  return Object.fromEntries([...slugs].map(([taxonomy, found]) => [taxonomy, [...found]]));
}
