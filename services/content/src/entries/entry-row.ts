import { fromColumn, isReadAsText, type FieldDefinition } from '@quire/content-model';
import { identifier } from '@quire/database';
import { JsonText } from '@quire/values';
import { creditsOfEntry, primaryGroup, type StoredCredit } from '../bylines/credits/index.js';
import type { CollectionDefinition, EntryStatus } from '../schema/index.js';
import type { EntryLock } from './entry-lock.js';
import type { ImportErrorDetails } from './import-errors/index.js';
import type { LinkedRow } from './references/linked-entries.js';

export type EntryValues = Record<string, unknown>;

/** SEO data of an entry (contract 6). */
export interface ContentSeo {
  title: string | null;
  description: string | null;
  image: string | null;
  canonical: string | null;
  noIndex: boolean;
}

export const emptySeo: ContentSeo = {
  title: null,
  description: null,
  image: null,
  canonical: null,
  noIndex: false,
};

/** An entry as statements return it: its system columns, and the columns of its fields under their slugs. */
export interface EntryRow {
  id: string;
  slug: string | null;
  status: EntryStatus;
  authorId: string | null;
  /** Undefined if the row was read for a change without a response. */
  primaryBylineId: string | null;
  createdAt: string;
  updatedAt: string;
  publishedAt: string | null;
  scheduledAt: string | null;
  deletedAt: string | null;
  version: number;
  liveRevisionId: string | null;
  draftRevisionId: string | null;
  _locale: string;
  _group: string;
  _seo: ContentSeo | null;
  /** Undefined if the row was read for a change. */
  _bylines?: StoredCredit[] | null;
  /** The valid lease on the entry, if the row was read for a change. */
  _lock?: EntryLock | null;
  /** Whether an import failed to save the entry, if the row was read for a change. */
  _hasImportError?: boolean;
  /** The failure of an import, if the row was read for a single read. */
  _importError?: ImportErrorDetails | null;
  /** The first linked entries by reference field, one more than a page has, if the row was read for a single read. */
  _references?: Record<string, LinkedRow[]> | null;
  /** The version of what a response shows, if the row was read for one that may be used again. */
  _version?: string | null;
  /** Data of the draft revision; `_slug` and `_references` are a staged slug and staged selections. */
  _draft?: EntryValues | null;
  /** The texts of the draft's values of json fields. */
  _draftTexts?: Record<string, string> | null;
  [fieldSlug: string]: unknown;
}

const primaryByline = `${primaryGroup('e')} AS "primaryBylineId"`;

/** The columns of every entry that are in its own row. */
const systemColumns = `
  e.id, e.slug, e.status, e.author_id AS "authorId",
  e.created_at AS "createdAt", e.updated_at AS "updatedAt", e.published_at AS "publishedAt",
  e.scheduled_at AS "scheduledAt", e.deleted_at AS "deletedAt", e.version,
  e.live_revision_id AS "liveRevisionId", e.draft_revision_id AS "draftRevisionId",
  e._locale, e._translation_group AS _group, e._seo`;

const columnLists = new WeakMap<CollectionDefinition, Map<string, string>>();

/**
 * The select list of an entry `e` that is read for a change: without its credits, which cost as much as all other
 * columns together.
 */
export function columnsWithoutCredits(definition: CollectionDefinition): string {
  return `${ownColumns(definition)}, ${primaryByline}`;
}

/** The select list of an entry `e` without its primary byline, which depends on other tables. */
export function ownColumns(definition: CollectionDefinition): string {
  // The comment names the version, so that no prepared statement outlives its table.
  const version = `/* ${definition.statementKey} */`;
  return [`${version} ${systemColumns}`, ...definition.columns.map(selectedColumn)].join(', ');
}

/** The select list of an entry `e`; its credits fall back to the default locale. */
export function entryColumns(definition: CollectionDefinition, defaultLocale: string): string {
  const lists = columnLists.get(definition) ?? new Map<string, string>();
  columnLists.set(definition, lists);
  let list = lists.get(defaultLocale);
  if (list === undefined) {
    list = `${columnsWithoutCredits(definition)}, ${creditsOfEntry(defaultLocale)} AS _bylines`;
    lists.set(defaultLocale, list);
  }
  return list;
}

function selectedColumn(field: FieldDefinition): string {
  const column = identifier(field.slug);
  return isReadAsText(field) ? `e.${column}::text AS ${column}` : `e.${column}`;
}

/** The columns of entry `e` that change with every response about it, without its values. */
export function stateColumns({ statementKey }: CollectionDefinition, defaultLocale: string): string {
  const credits = creditsOfEntry(defaultLocale);
  return `/* ${statementKey} */ e.id, e.version, e.updated_at AS "updatedAt", ${primaryByline}, ${credits} AS _bylines`;
}

/** The state of an entry for conditional requests, from a row of `stateColumns` or `entryColumns`. */
export function entryState(row: EntryRow): unknown {
  const { id, version, updatedAt, primaryBylineId, _bylines, _references } = row;
  return [id, version, updatedAt, primaryBylineId, _bylines, _references ?? null];
}

/** Values have no prototype, because a field may be named `constructor`. */
const noValues = () => Object.create(null) as EntryValues;

/** The values in the row's own columns; fields without a value are absent. */
export function liveValues(definition: Pick<CollectionDefinition, 'columns'>, row: EntryRow): EntryValues {
  const values = noValues();
  for (const field of definition.columns) {
    const stored = row[field.slug];
    if (stored !== null && stored !== undefined) values[field.slug] = fromColumn(field, stored);
  }
  return values;
}

/** Replaces the parsed json values of a draft by their texts. */
export function withDraftTexts(row: EntryRow): EntryRow {
  for (const [slug, text] of Object.entries(row._draftTexts ?? {}))
    if (row._draft && text !== 'null') row._draft[slug] = new JsonText(text);
  return row;
}

/** The values in the draft, of fields that still exist; undefined without a draft. */
export function draftValues(definition: CollectionDefinition, row: EntryRow): EntryValues | undefined {
  return row._draft ? knownValues(definition, row._draft) : undefined;
}

/** The values in revision data, of fields that still exist. */
export function knownValues(
  definition: Pick<CollectionDefinition, 'columns'>,
  data: EntryValues,
): EntryValues {
  const values = noValues();
  for (const { slug } of definition.columns) {
    if (Object.hasOwn(data, slug) && data[slug] !== null) values[slug] = data[slug];
  }
  return values;
}

/** The slug in the draft. */
export function stagedSlug(row: Pick<EntryRow, '_draft'>): string | undefined {
  const slug = row._draft?.['_slug'];
  return typeof slug === 'string' ? slug : undefined;
}

/** The values that editors see: those of the draft, else the live ones. */
export function editedValues(definition: CollectionDefinition, row: EntryRow): EntryValues {
  return draftValues(definition, row) ?? liveValues(definition, row);
}

/** A value for every field: those that are absent are null. */
export function withAllFields({ columns }: CollectionDefinition, values: EntryValues): EntryValues {
  return Object.fromEntries(columns.map(({ slug }) => [slug, values[slug] ?? null]));
}

/** Values as drafts store them: a cleared field is absent. */
export function withoutNulls(values: EntryValues): EntryValues {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** @returns stored SEO data with the given keys replaced. */
export function mergedSeo(stored: ContentSeo | null, given: Partial<ContentSeo>): ContentSeo {
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...emptySeo, ...stored, ...changes };
}
