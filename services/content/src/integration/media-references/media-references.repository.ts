import type { FieldDefinition } from '@quire/content-model';
import { identifier, Parameters, type Queryable } from '@quire/database';
import { contentApi } from '@quire/internal-api';
import type { CollectionDefinition } from '../../schema/index.js';
import { mediaSettingKeys } from '../../site/settings/index.js';

/** The columns of an entry that are read: system columns, and the media fields under their slugs. */
export interface ReferringEntryRow {
  id: string;
  slug: string | null;
  status: string;
  scheduledAt: string | null;
  deletedAt: string | null;
  _locale: string;
  _title: string | null;
  _draft: Record<string, unknown> | null;
  /** Number of matching entries, at most one more than the limit of a page. */
  _found: number;
  [fieldSlug: string]: unknown;
}

/** Stored, compressed size of the rows of a page; a page has at least one row. */
const maxPageBytes = 4 * 1024 * 1024;

/** Whether the collection still has the version of its definition. */
export async function isCurrentVersion(
  sql: Queryable,
  { id, slug, version }: CollectionDefinition,
): Promise<boolean> {
  const rows = await sql.query({
    text: 'SELECT 1 FROM collections WHERE slug = $1 AND id = $2 AND version = $3',
    values: [slug, id, version],
    prepared: true,
  });
  return rows.length > 0;
}

/**
 * The next entries in the order of their ids, trashed ones included, up to the limit of the page and `maxPageBytes`.
 */
export async function selectReferringEntries(
  sql: Queryable,
  { table, statementKey }: CollectionDefinition,
  fields: { media: readonly FieldDefinition[]; title: string | null },
  query: contentApi.MediaReferencesRequest,
): Promise<ReferringEntryRow[]> {
  const params = new Parameters();
  const mediaColumns = fields.media.map(({ slug }) => `e.${identifier(slug)}`);
  const sizes = [...mediaColumns, 'd.data'].map((column) => `coalesce(pg_column_size(${column}), 0)`);
  const [condition, limit] =
    'ids' in query
      ? [`e.id = ANY(${params.add(query.ids, 'text[]')})`, contentApi.maxReferencePage]
      : [`e.id > ${params.add(query.after ?? '', 'text')}`, query.limit];
  const from = `${identifier(table)} e LEFT JOIN revisions d ON d.id = e.draft_revision_id`;
  return sql.query<ReferringEntryRow>({
    prepared: true,
    text: `/* ${statementKey} */
      WITH next AS (
        SELECT e.id, ${sizes.join(' + ')} AS bytes FROM ${from}
        WHERE ${condition} ORDER BY e.id LIMIT ${params.add(limit + 1, 'integer')}
      ), page AS (
        SELECT id, sum(bytes) OVER (ORDER BY id) AS bytes, row_number() OVER (ORDER BY id) AS row_index,
          count(*) OVER () AS found
        FROM next
      )
      SELECT ${[...mediaColumns, ''].join(', ')} e.id, e.slug, e.status, e.scheduled_at AS "scheduledAt",
        e.deleted_at AS "deletedAt", e._locale, d.data AS _draft, p.found AS _found,
        ${fields.title === null ? 'NULL' : `e.${identifier(fields.title)}`} AS _title
      FROM page p JOIN ${identifier(table)} e ON e.id = p.id LEFT JOIN revisions d ON d.id = e.draft_revision_id
      WHERE p.row_index = 1 OR (p.row_index <= ${params.add(limit, 'integer')} AND p.bytes <= ${params.add(maxPageBytes, 'bigint')})
      ORDER BY e.id`,
    values: params.values,
  });
}

/** The collections of the site, and the settings that select media items, in one statement: usage needs both. */
export async function selectReferrers(sql: Queryable): Promise<contentApi.MediaReferrers> {
  const [row] = await sql.query<contentApi.MediaReferrers>({
    prepared: true,
    text: `SELECT
      coalesce((SELECT json_agg(json_build_object('id', c.id)) FROM collections c), '[]') AS collections,
      coalesce((
        SELECT json_agg(json_build_object('setting', s.key, 'mediaId', s.value ->> 'mediaId')
          ORDER BY array_position($1::text[], s.key))
        FROM settings s WHERE s.key = ANY($1)
      ), '[]') AS settings`,
    values: [mediaSettingKeys],
  });
  return row ?? { collections: [], settings: [] };
}
