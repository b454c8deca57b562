import { isReadAsText } from '@quire/content-model';
import { identifier, literal, type Queryable } from '@quire/database';
import { sameLocale } from '../../locales/index.js';
import type { CollectionDefinition } from '../../schema/index.js';
import {
  columnsWithoutCredits,
  entryColumns,
  ownColumns,
  stateColumns,
  withDraftTexts,
  type EntryRow,
} from '../entry-row.js';
import { hasImportError, importErrorOfEntry } from '../import-errors/index.js';
import { firstPages, type SelectionView } from '../references/linked-entries.js';
import { lockOfEntry } from './lease-conditions.js';

const ulidLike = /^[0-9A-HJKMNP-TV-Z]{26}$/i;

export interface EntryAddress {
  /** An id or a slug. */
  idOrSlug: string;
  /** Selects the entry of a slug, in any spelling; an id ignores it. */
  locale?: string | undefined;
  defaultLocale: string;
}

export interface FindOptions {
  /** The rows that exist for this caller. */
  rows: 'not-trashed' | 'published' | 'trashed';
  /** Reads the entry for a change: with the lease on it, without its credits. */
  withLock?: boolean;
  /** Leaves out what a change reads only for its response: the primary byline, and whether an import has failed. */
  withoutResponse?: boolean;
  /** Reads the first page of each selection too, in this view. */
  selections?: SelectionView;
  /** Whether the failure of an import is read too. */
  withImportError?: boolean;
  /** Reads only the entry's state, see `stateColumns`. */
  isStateOnly?: boolean;
  /** SQL of further columns, with the comma before them. */
  moreColumns?: string;
}

const conditions: Record<FindOptions['rows'], string> = {
  'not-trashed': 'e.deleted_at IS NULL',
  published: `e.deleted_at IS NULL AND e.status = 'published'`,
  trashed: 'e.deleted_at IS NOT NULL',
};

/**
 * Reads an entry with its draft, in one statement. A text in the form of an id is looked up as an id first. Without a
 * locale a slug means the entry of the default locale, else that of the lowest locale code (contract 2; decision 19).
 */
export async function findEntry(
  sql: Queryable,
  definition: CollectionDefinition,
  address: EntryAddress,
  options: FindOptions,
): Promise<EntryRow | undefined> {
  if (ulidLike.test(address.idOrSlug)) {
    const [row] = await sql.query<EntryRow>(byId(definition, address, options));
    if (row) return withDraftTexts(row);
  }
  const [row] = await sql.query<EntryRow>(bySlug(definition, address, options));
  return row && withDraftTexts(row);
}

/** Reads entries by their ids, those of the trash included, with their drafts. */
export async function findEntries(
  sql: Queryable,
  definition: CollectionDefinition,
  ids: readonly string[],
  defaultLocale: string,
): Promise<EntryRow[]> {
  const rows = await sql.query<EntryRow>({
    prepared: true,
    text: `${select(definition, defaultLocale, {})} WHERE e.id = ANY($1)`,
    values: [ids],
  });
  return rows.map(withDraftTexts);
}

function byId(
  definition: CollectionDefinition,
  { idOrSlug, defaultLocale }: EntryAddress,
  options: FindOptions,
) {
  const text = textOf(
    definition,
    ['id', defaultLocale, options],
    () => `${select(definition, defaultLocale, options)} WHERE e.id = $1 AND ${conditions[options.rows]}`,
  );
  return { prepared: true, text, values: [idOrSlug.toUpperCase()] };
}

/** Texts of statements by what they differ in. */
const texts = new WeakMap<CollectionDefinition, Map<string, string>>();

/** The text of a statement, built once for a definition: building and comparing long texts costs more than sending. */
function textOf(definition: CollectionDefinition, parts: unknown[], build: () => string): string {
  let known = texts.get(definition);
  if (!known) texts.set(definition, (known = new Map<string, string>()));
  const key = JSON.stringify(parts);
  let text = known.get(key);
  if (text === undefined) known.set(key, (text = build()));
  return text;
}

function bySlug(
  definition: CollectionDefinition,
  { idOrSlug, locale, defaultLocale }: EntryAddress,
  options: FindOptions,
) {
  const text = textOf(
    definition,
    ['slug', defaultLocale, options],
    () => `${select(definition, defaultLocale, options)}
      WHERE e.slug = $1 AND ($2::text IS NULL OR ${sameLocale('e._locale', '$2')}) AND ${conditions[options.rows]}
      ORDER BY (e._locale = coalesce($2, $3)) DESC, e._locale LIMIT 1`,
  );
  return { prepared: true, text, values: [idOrSlug, locale ?? null, defaultLocale] };
}

function select(
  definition: CollectionDefinition,
  defaultLocale: string,
  options: Omit<FindOptions, 'rows'>,
): string {
  const { withLock, withoutResponse, selections, withImportError, isStateOnly, moreColumns = '' } = options;
  const lock = withLock && definition.editLocking ? `, ${lockOfEntry} AS _lock` : '';
  const failure = withLock && !withoutResponse ? `, ${hasImportError} AS "_hasImportError"` : '';
  const failureDetails = withImportError && !isStateOnly ? `, ${importErrorOfEntry} AS "_importError"` : '';
  const selected =
    selections && definition.references.length > 0
      ? `, ${firstPages(definition, selections)} AS _references`
      : '';
  const columnsOfChange = withoutResponse ? ownColumns : columnsWithoutCredits;
  const values = withLock ? columnsOfChange(definition) : entryColumns(definition, defaultLocale);
  const columns = isStateOnly
    ? stateColumns(definition, defaultLocale)
    : `${values}, d.data AS _draft${draftTexts(definition)}`;
  return `SELECT ${columns}${lock}${failure}${failureDetails}${selected}${moreColumns}
    FROM ${identifier(definition.table)} e LEFT JOIN revisions d ON d.id = e.draft_revision_id`;
}

/** SQL of the texts of json fields in draft `d`; see `withDraftTexts`. */
function draftTexts({ columns }: CollectionDefinition): string {
  const slugs = columns.filter(isReadAsText).map(({ slug }) => literal(slug));
  if (slugs.length === 0) return '';
  return `, (SELECT json_object_agg(m.key, m.value::text) FROM json_each(d.data) m WHERE m.key IN (${slugs.join(', ')}))
    AS "_draftTexts"`;
}

/** @returns the distinct author ids of the entries that are not in the trash. */
export async function selectAuthorIds(sql: Queryable, definition: CollectionDefinition): Promise<string[]> {
  const rows = await sql.query<{ authorId: string }>(authorIdsStatement(definition));
  return rows.map(({ authorId }) => authorId);
}

/** Finds each author behind the former one in the index: DISTINCT reads all entries. */
export function authorIdsStatement({ table }: Pick<CollectionDefinition, 'table'>): string {
  const next = (condition: string) =>
    `(SELECT author_id FROM ${identifier(table)} WHERE deleted_at IS NULL AND ${condition} ORDER BY author_id LIMIT 1)`;
  return `WITH RECURSIVE authors AS (
      ${next('author_id IS NOT NULL')}
      UNION ALL SELECT ${next('author_id > authors.author_id')} FROM authors WHERE author_id IS NOT NULL
    ) SELECT author_id AS "authorId" FROM authors WHERE author_id IS NOT NULL`;
}

/** An entry of a translation group (contract 7). */
export interface Translation {
  id: string;
  locale: string;
  slug: string | null;
  status: string;
  updatedAt: string;
}

/** @returns the entries of a translation group that are not in the trash, by locale. */
export function selectTranslations(
  sql: Queryable,
  { table }: CollectionDefinition,
  group: string,
  { onlyPublished }: { onlyPublished: boolean },
): Promise<Translation[]> {
  return sql.query<Translation>(
    `SELECT id, _locale AS locale, slug, status, updated_at AS "updatedAt" FROM ${identifier(table)}
     WHERE _translation_group = $1 AND deleted_at IS NULL AND (NOT $2 OR status = 'published') ORDER BY _locale`,
    [group, onlyPublished],
  );
}

/** Whether another entry of a row's locale has the slug, trashed ones included. */
export async function isSlugTaken(
  sql: Queryable,
  { table }: CollectionDefinition,
  row: EntryRow,
  slug: string,
): Promise<boolean> {
  const taken = await sql.query(
    `SELECT 1 FROM ${identifier(table)} WHERE slug = $1 AND _locale = $2 AND id <> $3`,
    [slug, row._locale, row.id],
  );
  return taken.length > 0;
}

/** @returns user (null for Quire itself) and time of an entry's last change. */
export async function selectLastEdit(
  sql: Queryable,
  { table }: Pick<CollectionDefinition, 'table'>,
  id: string,
): Promise<{ userId: string | null; editedAt: string } | undefined> {
  const [edit] = await sql.query<{ userId: string | null; editedAt: string }>(
    `SELECT _edited_by AS "userId", coalesce(_edited_at, updated_at) AS "editedAt" FROM ${identifier(table)} WHERE id = $1`,
    [id],
  );
  return edit;
}
