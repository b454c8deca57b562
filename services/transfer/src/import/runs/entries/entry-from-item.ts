import type { contentImportApi } from '@quire/internal-api';
import type { FieldType } from '@quire/content-model';
import type { ConversionContext, ConversionWarning } from '../../conversion/index.js';
import { convertContent, multilineText } from '../../conversion/index.js';
import {
  assignmentsOf,
  cleanTitle,
  featuredImageKey,
  fieldSlugOf,
  isFieldKey,
  isInternalKey,
  languageOf,
  metaByKey,
  metaFieldValue,
  sourceDates,
  sourceSlug,
  targetStatus,
  termSlug,
  type ExportItem,
  type OffsetSamples,
} from '../../export-file/index.js';
import type { Credit } from './credit.js';
import { fingerprintOf } from './fingerprint.js';
import { sourceKeyOf } from './source-key.js';

type ImportedEntry = contentImportApi.ImportedEntry;

/** A warning of an item (contract 6). */
export interface ItemWarning {
  code: string;
  message: string;
}

/** What an item is converted with. */
export interface EntryContext {
  collection: string;
  /** Types of the collection's fields by slug. */
  fields: ReadonlyMap<string, FieldType>;
  /** Locale of items that name none, or an unknown one. */
  locale: string;
  /** The stored form of a locale of the source; undefined for one that the site does not have. */
  storedLocale: (locale: string) => string | undefined;
  offsets: OffsetSamples;
  now: Date;
  credits: ReadonlyMap<string, Credit>;
  /** Type of the parent item. */
  parentType: string;
  /** The first item of its group of translations. */
  anchor: { type: string; id: string } | undefined;
  conversion: ConversionContext;
}

/** An entry with the warnings of its conversion. */
export interface ConvertedEntry {
  entry: ImportedEntry;
  warnings: ItemWarning[];
  /** Media files that the entry refers to. */
  mediaReferences: number;
  /** The unconverted source, which only an entry that cannot be saved needs. */
  original: () => NonNullable<ImportedEntry['original']>;
}

/**
 * Converts an item of an export to an entry (contract 2.2 to 2.8, 3). It does not fail: what cannot be converted is
 * described by `failure`, and the entry then becomes a draft with the source in `_importError`.
 */
export function entryFromItem(item: ExportItem, position: number, context: EntryContext): ConvertedEntry {
  const warnings: ItemWarning[] = [];
  const warn = (code: string, message: string) => void warnings.push({ code, message });
  const { title, isChanged } = cleanTitle(item.title);
  if (isChanged) warn('TITLE_FIXED', `The title '${item.title.trim()}' became '${title}'`);
  if (item.removedControlCharacters) warn('CONTROL_CHARS_REMOVED', 'Control characters were removed');
  const dates = datesOf(item, context, warn);
  const { locale, translationOf } = languageFacts(item, context, warn);
  const { data, remainder, mediaReferences, failure } = valuesOf(item, title, context, warn);
  const credit = item.creator === null ? undefined : context.credits.get(item.creator);
  const original = () => originalOf(item);
  return {
    warnings,
    original,
    mediaReferences,
    entry: {
      source: sourceKeyOf(item.type, item.sourceId, position),
      fingerprint: fingerprintOf(item, context.collection),
      collection: context.collection,
      locale,
      translationOf,
      slug: sourceSlug(item) ?? `${context.collection}-${position}`,
      title,
      data,
      ...dates,
      authorId: credit?.authorId ?? null,
      bylines: credit ? [credit.bylineId] : [],
      taxonomies: taxonomiesOf(item),
      parent: item.parentId === 0 ? null : { type: context.parentType, id: String(item.parentId) },
      remainder,
      original: failure ? original() : null,
      failure,
    },
  };
}

function originalOf({ content, excerpt, meta }: ExportItem): NonNullable<ImportedEntry['original']> {
  return { content, excerpt, meta: Object.fromEntries(metaByKey(meta)) };
}

type Warn = (code: string, message: string) => void;

function datesOf(
  item: ExportItem,
  { offsets, now }: EntryContext,
  warn: Warn,
): Pick<ImportedEntry, 'status' | 'createdAt' | 'updatedAt' | 'publishedAt' | 'scheduledAt'> {
  const { publishedAt, modifiedAt, isInvalid } = sourceDates(item, offsets);
  if (isInvalid) warn('DATE_INVALID', `The date '${item.dateGmt || item.date}' is invalid`);
  const { status, scheduledAt, warnings } = targetStatus(item, publishedAt, now);
  for (const code of warnings) warn(code, statusMessage(code, item));
  const isScheduled = status === 'scheduled';
  return {
    // Items that are skipped were not converted.
    status: status === 'skipped' ? 'draft' : status,
    createdAt: isScheduled ? null : instant(publishedAt),
    updatedAt: instant(changedAt(modifiedAt, isScheduled ? now : publishedAt, now)),
    publishedAt: status === 'published' ? instant(publishedAt) : null,
    scheduledAt: instant(scheduledAt ?? null),
  };
}

/** The time of the last change: the source may have it before the creation, or in the future. */
function changedAt(modifiedAt: Date | null, createdAt: Date | null, now: Date): Date | null {
  if (modifiedAt === null) return null;
  const latest = createdAt !== null && modifiedAt < createdAt ? createdAt : modifiedAt;
  return latest > now ? now : latest;
}

const instant = (date: Date | null) => date?.toISOString() ?? null;

function statusMessage(code: string, { status }: ExportItem): string {
  return code === 'PASSWORD_REMOVED'
    ? 'The password was removed; the entry is a draft, because it would be public otherwise'
    : `The status '${status}' became draft`;
}

function languageFacts(
  item: ExportItem,
  { locale: fallback, storedLocale, anchor }: EntryContext,
  warn: Warn,
): Pick<ImportedEntry, 'locale' | 'translationOf'> {
  const { locale: given } = languageOf(item);
  const known = given === undefined ? fallback : storedLocale(given);
  if (known === undefined) warn('LOCALE_UNKNOWN', `The locale '${given ?? ''}' became '${fallback}'`);
  const isAnchor = anchor?.id === String(item.sourceId) && anchor.type === item.type;
  return { locale: known ?? fallback, translationOf: anchor && !isAnchor ? anchor : null };
}

interface EntryValues {
  data: Record<string, unknown>;
  remainder: Record<string, unknown>;
  mediaReferences: number;
  failure: ImportedEntry['failure'];
}

function valuesOf(item: ExportItem, title: string, context: EntryContext, warn: Warn): EntryValues {
  const { fields, conversion } = context;
  const data: Record<string, unknown> = {};
  const remainder: Record<string, unknown> = remainderOf(item);
  const put = (slug: string, value: unknown) => {
    if (fields.has(slug)) data[slug] = value;
    else if (value !== null && value !== '') remainder[slug] = value;
  };
  put('title', title);
  const excerpt = multilineText(item.excerpt);
  put('excerpt', excerpt === '' ? null : excerpt);
  let mediaReferences = 0;
  let failure: EntryValues['failure'] = null;
  try {
    const converted = convertContent(item.content, conversion);
    for (const { code, message } of converted.warnings satisfies ConversionWarning[]) warn(code, message);
    mediaReferences = converted.mediaReferences;
    put('content', converted.blocks);
  } catch (error) {
    failure = { code: 'CONVERSION_FAILED', message: `The content cannot be converted: ${messageOf(error)}` };
  }
  if (putFeaturedImage(item, context, put, warn)) mediaReferences += 1;
  putMeta(item, context, { data, remainder, warn });
  return { data, remainder, mediaReferences, failure };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** What an entry has no field for; a later import or another program may use it. */
function remainderOf(item: ExportItem): Record<string, unknown> {
  const { guid, link, menuOrder, isSticky, password, commentStatus } = item;
  return {
    ...(guid && { guid }),
    ...(link && { link }),
    ...(menuOrder !== 0 && { menuOrder }),
    ...(isSticky && { isSticky }),
    ...(password !== '' && { hadPassword: true }),
    ...(commentStatus && { commentStatus }),
  };
}

/** @returns whether the item has an image */
function putFeaturedImage(
  item: ExportItem,
  { conversion }: EntryContext,
  put: (slug: string, value: unknown) => void,
  warn: Warn,
): boolean {
  const id = item.meta.find(({ key }) => key === featuredImageKey)?.value.trim() ?? '';
  if (id === '' || id === '0') return false;
  const attachment = conversion.attachment(Number(id));
  if (!attachment) {
    warn('THUMBNAIL_MISSING', `The featured image ${id} is not in the file`);
    return false;
  }
  const { url, alt } = attachment;
  put('featured_image', { provider: 'external', id: '', src: url, ...(alt !== undefined && { alt }) });
  return true;
}

function putMeta(
  item: ExportItem,
  { fields }: EntryContext,
  { data, remainder, warn }: Pick<EntryValues, 'data' | 'remainder'> & { warn: Warn },
): void {
  // A map: a key may have the name of a property that every object has.
  const rest = new Map<string, unknown>();
  const perField = new Map<string, string[]>();
  // Several keys may have one field: one that the source's editor shows comes before hidden ones.
  const keys = [...metaByKey(item.meta)].sort(
    ([a], [b]) => Number(isInternalKey(a)) - Number(isInternalKey(b)),
  );
  for (const [key, values] of keys) {
    const slug = fieldSlugOf(key);
    const isTaken = isInternalKey(key) && perField.has(slug);
    if (isTaken || !isFieldKey(key) || !fields.has(slug))
      rest.set(key, values.length === 1 ? values[0] : values);
    else perField.set(slug, [...(perField.get(slug) ?? []), ...values]);
  }
  for (const [slug, values] of perField) {
    const type = fields.get(slug);
    if (type === undefined) continue;
    const fitted = metaFieldValue(values, type);
    if ('value' in fitted) data[slug] = fitted.value;
    else {
      warn('META_UNFIT', `The value of '${slug}' does not fit its field`);
      rest.set(slug, values);
    }
  }
  if (rest.size > 0) remainder['meta'] = Object.fromEntries(rest);
}

function taxonomiesOf(item: ExportItem): Record<string, string[]> {
  const slugs = new Map<string, string[]>();
  for (const { taxonomy, slug: given, name } of assignmentsOf(item)) {
    const slug = given ?? termSlug(null, name);
    if (slug === null) continue;
    const list = slugs.get(taxonomy) ?? [];
    if (!list.includes(slug)) slugs.set(taxonomy, [...list, slug]);
  }
  return Object.fromEntries(slugs);
}
