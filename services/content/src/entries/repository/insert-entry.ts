import { columnType, type FieldDefinition } from '@quire/content-model';
import { identifier, Parameters, setsTrace, type Queryable, type Statement } from '@quire/database';
import { stringifyJson, ulid } from '@quire/values';
import { greatestNumberedSlug, stagedSelectionsKey, type CollectionDefinition } from '../../schema/index.js';
import { entryColumns, withoutNulls, type ContentSeo, type EntryValues } from '../entry-row.js';
import type { StagedSelections } from '../references/reference-selection.js';
import { columnValue, edited, isUnchanged } from './write-entry.js';

export interface NewEntry {
  id: string;
  slug: string | null;
  locale: string;
  translationGroup: string;
  authorId: string | null;
  primaryBylineId: string | null;
  values: EntryValues;
  seo: ContentSeo | null;
  /** ISO instant; null for now. */
  createdAt: string | null;
  /** ISO instant. */
  publishedAt: string | null;
}

const systemColumns =
  'id, slug, _locale, _translation_group, author_id, _edited_by, primary_byline_id, _seo, created_at, published_at';

/**
 * Inserts a draft if the collection still has the version that its values were validated by; otherwise returns no row.
 * The statement has one text for each collection version, so that PostgreSQL plans it once.
 * @param context.trace trace context of the request, for the messages that triggers send
 */
export function insertEntry(
  definition: CollectionDefinition,
  entry: NewEntry,
  { defaultLocale, trace }: { defaultLocale: string; trace: string | undefined },
): Statement {
  const parameters = new Parameters();
  const author = parameters.add(entry.authorId, 'text');
  const system = [
    parameters.add(entry.id, 'text'),
    parameters.add(entry.slug, 'text'),
    parameters.add(entry.locale, 'text'),
    parameters.add(entry.translationGroup, 'text'),
    author,
    author,
    parameters.add(entry.primaryBylineId, 'text'),
    parameters.add(entry.seo === null ? null : JSON.stringify(entry.seo), 'json'),
    `coalesce(${parameters.add(entry.createdAt, 'timestamptz')}, now())`,
    parameters.add(entry.publishedAt, 'timestamptz'),
  ];
  const columns = definition.columns.map(({ slug }) => identifier(slug));
  const values = definition.columns.map(({ slug, type }) =>
    parameters.add(columnValue(definition, slug, entry.values[slug]), columnType(type)),
  );
  return {
    prepared: true,
    text: `
      WITH e AS (
        INSERT INTO ${identifier(definition.table)} (${[systemColumns, ...columns].join(', ')})
        SELECT ${[...system, ...values].join(', ')}
        WHERE ${isUnchanged(definition, parameters)} AND ${setsTrace(trace, parameters)}
        RETURNING *
      ) SELECT ${entryColumns(definition, defaultLocale)} FROM e`,
    values: parameters.values,
  };
}

/** Creates the draft of a new entry, with all its values and its staged selections. */
export function insertDraft(
  { slug, table }: CollectionDefinition,
  { id, values, authorId }: NewEntry,
  selections: StagedSelections,
): Statement {
  const data = { ...withoutNulls(values), [stagedSelectionsKey]: selections };
  return {
    text: `
      WITH draft AS (
        INSERT INTO revisions (id, collection, entry_id, data, author_id) VALUES ($1, $2, $3, $4, $5) RETURNING id, entry_id
      ) UPDATE ${identifier(table)} e SET draft_revision_id = draft.id FROM draft WHERE e.id = draft.entry_id`,
    values: [ulid(), slug, id, stringifyJson(data), authorId],
  };
}

/** @returns of the slugs of a locale, those of the trash included: `base`, and `base-N` with the greatest number. */
export async function selectTakenSlugs(
  sql: Queryable,
  { table }: CollectionDefinition,
  base: string,
  locale: string,
): Promise<string[]> {
  const rows = await sql.query<{ slug: string }>(
    `SELECT slug FROM ${identifier(table)} WHERE slug = $1 AND _locale = $2
     UNION ALL (${greatestNumberedSlug(table, '$1', '$2')})`,
    [base, locale],
  );
  return rows.map(({ slug }) => slug);
}

/** @returns the statements that copy shared values to the other translations and their drafts. */
export function synchroniseGroup(
  definition: CollectionDefinition,
  { id, translationGroup, values, authorId }: NewEntry,
  shared: readonly FieldDefinition[],
): Statement[] {
  if (shared.length === 0) return [];
  const parameters = new Parameters();
  const set = shared.map(
    ({ slug, type }) =>
      `${identifier(slug)} = ${parameters.add(columnValue(definition, slug, values[slug]), columnType(type))}`,
  );
  const table = identifier(definition.table);
  const update = `
    UPDATE ${table} SET ${set.join(', ')}, version = version + 1, updated_at = now(), ${edited(authorId, parameters)}
    WHERE _translation_group = ${parameters.add(translationGroup)} AND id <> ${parameters.add(id)}`;
  return [
    { text: update, values: parameters.values },
    synchroniseDrafts(table, id, translationGroup, values, shared),
  ];
}

function synchroniseDrafts(
  table: string,
  id: string,
  group: string,
  values: EntryValues,
  shared: readonly FieldDefinition[],
): Statement {
  const slugs = shared.map(({ slug }) => slug);
  const sharedValues = Object.fromEntries(
    slugs.filter((slug) => (values[slug] ?? null) !== null).map((slug) => [slug, values[slug]]),
  );
  return {
    text: `
      UPDATE revisions r SET data = (
        SELECT coalesce(json_object_agg(part.key, part.value), '{}'::json) FROM (
          SELECT key, value FROM json_each(r.data) WHERE key <> ALL($3::text[])
          UNION ALL SELECT key, value FROM json_each($4::json)
        ) part)
      WHERE r.id IN (
        SELECT unnest(ARRAY[live_revision_id, draft_revision_id]) FROM ${table} WHERE _translation_group = $1 AND id <> $2)`,
    values: [group, id, slugs, stringifyJson(sharedValues)],
  };
}
