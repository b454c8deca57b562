import { fromColumn, isReadAsText, type FieldDefinition } from '@quire/content-model';
import { identifier } from '@quire/database';
import { JsonText } from '@quire/json';
import { creditsOfEntry, type StoredCredit } from '../bylines/credits/index.js';
import type { CollectionDefinition } from '../schema/index.js';
import type { EntryLock } from './entry-lock.js';
import type { LinkedRow } from './references/linked-entries.js';

export type EntryStatus = 'draft' | 'published' | 'scheduled';
export type EntryValues = Record<string, unknown>;

export interface ContentSeo {
  title: string | null;
  description: string | null;
  image: string | null;
  canonical: string | null;
  noIndex: boolean;
}

/** The system columns of an entry as statements return them; the field columns stand beside them under their slugs. */
export interface EntryRow {
  id: string;
  slug: string | null;
  status: EntryStatus;
  authorId: string | null;
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
  _bylines: StoredCredit[] | null;
  /** The lease on it, where the row was read to be changed. */
  _lock?: EntryLock | null;
  /** What it selects, where it was read for a single answer: one more of each than a page takes. */
  _references?: Record<string, LinkedRow[]> | null;
  /** Content of the draft revision, with `_slug` and `_references` when a slug or selections are staged. */
  _draft?: EntryValues | null;
  /** Of its values of json fields the texts, where there are such fields. */
  _draftTexts?: Record<string, string> | null;
  [fieldSlug: string]: unknown;
}

const systemColumns = `
  e.id, e.slug, e.status, e.author_id AS "authorId", e.primary_byline_id AS "primaryBylineId",
  e.created_at AS "createdAt", e.updated_at AS "updatedAt", e.published_at AS "publishedAt",
  e.scheduled_at AS "scheduledAt", e.deleted_at AS "deletedAt", e.version,
  e.live_revision_id AS "liveRevisionId", e.draft_revision_id AS "draftRevisionId",
  e._locale, e._translation_group AS _group, e._seo`;

const columnLists = new WeakMap<CollectionDefinition, Map<string, string>>();

/** The select list of an entry `e` of this collection; its credits fall back to the default locale. */
export function entryColumns(definition: CollectionDefinition, defaultLocale: string): string {
  const lists = columnLists.get(definition) ?? new Map<string, string>();
  columnLists.set(definition, lists);
  let list = lists.get(defaultLocale);
  if (list === undefined) {
    // Names the version, so that no plan outlives the table it was made for.
    const version = `/* ${definition.statementKey} */`;
    list = [
      `${version} ${systemColumns}`,
      `${creditsOfEntry(defaultLocale)} AS _bylines`,
      ...definition.columns.map(selectedColumn),
    ].join(', ');
    lists.set(defaultLocale, list);
  }
  return list;
}

function selectedColumn(field: FieldDefinition): string {
  const column = identifier(field.slug);
  return isReadAsText(field) ? `e.${column}::text AS ${column}` : `e.${column}`;
}

/** What of entry `e` differs whenever an answer about it would: little to read, and nothing of its values. */
export function stateColumns({ statementKey }: CollectionDefinition, defaultLocale: string): string {
  const credits = creditsOfEntry(defaultLocale);
  return `/* ${statementKey} */ e.id, e.version, e.updated_at AS "updatedAt", e.primary_byline_id AS "primaryBylineId",
    ${credits} AS _bylines`;
}

/** The state of an entry as a caller sees it, from rows of `stateColumns` and of `entryColumns` alike. */
export function entryState(row: EntryRow): unknown {
  const { id, version, updatedAt, primaryBylineId, _bylines, _references } = row;
  return [id, version, updatedAt, primaryBylineId, _bylines, _references ?? null];
}

/** Values stand on no prototype: a field may be called `constructor`. */
const noValues = () => Object.create(null) as EntryValues;

/** The values in the row's own columns; fields without a value are absent. */
export function liveValues(definition: CollectionDefinition, row: EntryRow): EntryValues {
  const values = noValues();
  for (const field of definition.columns) {
    const stored = row[field.slug];
    if (stored !== null && stored !== undefined) values[field.slug] = fromColumn(field, stored);
  }
  return values;
}

/** Lays the texts of a draft's json values over what the driver has made of them. */
export function withDraftTexts(row: EntryRow): EntryRow {
  for (const [slug, text] of Object.entries(row._draftTexts ?? {}))
    if (row._draft && text !== 'null') row._draft[slug] = new JsonText(text);
  return row;
}

/** The values that a draft holds, of fields that still exist; undefined when nothing is staged. */
export function draftValues(definition: CollectionDefinition, row: EntryRow): EntryValues | undefined {
  return row._draft ? knownValues(definition, row._draft) : undefined;
}

/** Of stored revision data, the values of fields that the collection still has. */
export function knownValues(definition: CollectionDefinition, data: EntryValues): EntryValues {
  const values = noValues();
  for (const { slug } of definition.columns) {
    if (Object.hasOwn(data, slug) && data[slug] !== null) values[slug] = data[slug];
  }
  return values;
}

/** A slug that waits in the draft. */
export function stagedSlug(row: Pick<EntryRow, '_draft'>): string | undefined {
  const slug = row._draft?.['_slug'];
  return typeof slug === 'string' ? slug : undefined;
}

/** What an editor sees: the draft where one is staged, else the live values. */
export function editedValues(definition: CollectionDefinition, row: EntryRow): EntryValues {
  return draftValues(definition, row) ?? liveValues(definition, row);
}

/** Values as a draft holds them: a field that is cleared is absent. */
export function withoutNulls(values: EntryValues): EntryValues {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && value !== undefined),
  );
}
