import { fromColumn } from '@quire/content-model';
import { identifier } from '@quire/database';
import type { CollectionDefinition } from '../schema/index.js';
import type { EntryLock } from './entry-lock.js';
import type { LinkedRow } from './selections/read-selections.js';

export type EntryStatus = 'draft' | 'published' | 'scheduled';
export type EntryValues = Record<string, unknown>;

export interface StoredCredit {
  byline: Record<string, unknown>;
  sortOrder: number;
  roleLabel: string | null;
  source: 'explicit' | 'inferred';
}

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
  [fieldSlug: string]: unknown;
}

const bylineJson = `json_build_object(
  'id', b.id, 'slug', b.slug, 'displayName', b.display_name, 'bio', b.bio, 'avatarMediaId', b.avatar_media_id,
  'websiteUrl', b.website_url, 'userId', b.user_id, 'isGuest', b.is_guest,
  'createdAt', to_char(b.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'updatedAt', to_char(b.updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'locale', b.locale, 'translationGroup', b.translation_group)`;

/**
 * The credits of row `e`, in order, each byline in the entry's locale, else in any; without stored credits, the author's
 * own byline counts as inferred (contract 6). Entries without credits and author cost nothing here.
 */
const creditsOfEntry = `
  CASE WHEN e.primary_byline_id IS NOT NULL THEN (
    SELECT json_agg(json_build_object('byline', ${bylineJson}, 'sortOrder', c.sort_order, 'roleLabel', c.role_label,
      'source', 'explicit') ORDER BY c.sort_order)
    FROM entry_bylines c
    CROSS JOIN LATERAL (
      SELECT * FROM bylines WHERE translation_group = c.byline_group
      ORDER BY (locale = e._locale) DESC, locale LIMIT 1
    ) b
    WHERE c.entry_id = e.id
  ) WHEN e.author_id IS NOT NULL THEN (
    SELECT json_build_array(json_build_object('byline', ${bylineJson}, 'sortOrder', 0, 'roleLabel', NULL,
      'source', 'inferred'))
    FROM bylines b WHERE b.user_id = e.author_id AND b.locale = e._locale ORDER BY b.id LIMIT 1
  ) END`;

const systemColumns = `
  e.id, e.slug, e.status, e.author_id AS "authorId", e.primary_byline_id AS "primaryBylineId",
  e.created_at AS "createdAt", e.updated_at AS "updatedAt", e.published_at AS "publishedAt",
  e.scheduled_at AS "scheduledAt", e.deleted_at AS "deletedAt", e.version,
  e.live_revision_id AS "liveRevisionId", e.draft_revision_id AS "draftRevisionId",
  e._locale, e._translation_group AS _group, e._seo, ${creditsOfEntry} AS _bylines`;

const columnLists = new WeakMap<CollectionDefinition, string>();

/** The select list of an entry `e` of this collection. */
export function entryColumns(definition: CollectionDefinition): string {
  let list = columnLists.get(definition);
  if (list === undefined) {
    // Names the version, so that no plan outlives the table it was made for.
    const version = `/* ${definition.statementKey} */`;
    list = [
      `${version} ${systemColumns}`,
      ...definition.columns.map(({ slug }) => `e.${identifier(slug)}`),
    ].join(', ');
    columnLists.set(definition, list);
  }
  return list;
}

/** What of entry `e` differs whenever an answer about it would: little to read, and nothing of its values. */
export function stateColumns({ statementKey }: CollectionDefinition): string {
  return `/* ${statementKey} */ e.id, e.version, e.updated_at AS "updatedAt", ${creditsOfEntry} AS _bylines`;
}

/** The state of an entry as a caller sees it, from rows of `stateColumns` and of `entryColumns` alike. */
export function entryState({ id, version, updatedAt, _bylines, _references }: EntryRow): unknown {
  return [id, version, updatedAt, _bylines, _references ?? null];
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
export function stagedSlug(row: EntryRow): string | undefined {
  const slug = row._draft?.['_slug'];
  return typeof slug === 'string' ? slug : undefined;
}

/** What an editor sees: the draft where one is staged, else the live values. */
export function editedValues(definition: CollectionDefinition, row: EntryRow): EntryValues {
  return draftValues(definition, row) ?? liveValues(definition, row);
}
