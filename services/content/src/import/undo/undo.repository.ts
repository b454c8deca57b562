import { identifier, type Queryable } from '@quire/database';
import { deleteEntries } from '../../entries/index.js';
import type { CollectionDefinition } from '../../schema/index.js';
import type { ImportedKind } from '../records/index.js';

/** The objects of one import that may be deleted. */
export interface UndoneImport {
  importId: string;
  site: string;
  tenantId: string;
}

/** Records that have a table of their own kind, and whether its rows are as the import left them. */
type PlainKind = Exclude<ImportedKind, 'entry'>;

const tables: Readonly<Record<PlainKind, string>> = {
  section: 'sections',
  comment: 'comments',
  menu: 'menus',
  term: 'terms',
  byline: 'bylines',
};

/** SQL conditions on row `o` of a kind, besides that no user has updated it. */
const conditions: Readonly<Record<PlainKind, string>> = {
  section: `o.source <> 'theme'`,
  // A deletion takes the replies along.
  comment: `NOT EXISTS (
    SELECT FROM comments reply WHERE reply.parent_id = o.id AND NOT EXISTS (
      SELECT FROM import_records a WHERE a.target_id = reply.id AND a.import_id = r.import_id AND a.kind = 'comment'
        AND reply.updated_at <= a.updated_at))`,
  menu: 'true',
  term: `NOT EXISTS (SELECT FROM entry_terms x WHERE x.term_group = o.group_id)
    AND NOT EXISTS (SELECT FROM term_groups child WHERE child.parent_id = o.group_id)`,
  byline: `NOT EXISTS (SELECT FROM entry_bylines x WHERE x.byline_group = o.translation_group)`,
};

/** SQL of the rows of a kind that the import created, and that it may delete. */
const deletable = (kind: PlainKind) => `
  SELECT o.id FROM import_records r JOIN ${tables[kind]} o ON o.id = r.target_id
  WHERE r.import_id = $1 AND r.site = $2 AND r.kind = '${kind}' AND o.updated_at <= r.updated_at
    AND ${conditions[kind]}`;

/**
 * Deletes objects of a kind that no user has updated or uses, with what belongs to them.
 * @returns the ids that were deleted, at most `limit` and replies to them
 */
export async function deleteUntouched(
  tx: Queryable,
  kind: PlainKind,
  { importId, site }: UndoneImport,
  limit: number,
): Promise<string[]> {
  const values = [importId, site];
  const found = await tx.query<{ id: string }>(`${deletable(kind)} LIMIT $3`, [...values, limit]);
  const ids = found.map(({ id }) => id);
  if (ids.length === 0) return [];
  const groups = await lockGroups(tx, kind, ids);
  const removed = await tx.query<{ id: string }>(
    `WITH chosen AS (${deletable(kind)} AND o.id = ANY($3)), locked AS (
       SELECT id FROM ${tables[kind]} WHERE id IN (SELECT id FROM chosen)
         ${kind === 'comment' ? 'OR parent_id IN (SELECT id FROM chosen)' : ''} ORDER BY id FOR UPDATE
     ) DELETE FROM ${tables[kind]} o USING locked WHERE o.id = locked.id RETURNING o.id`,
    [...values, ids],
  );
  await deleteEmptyGroups(tx, kind, groups);
  return removed.map(({ id }) => id);
}

/** The translation groups of rows `o` of a kind that has some. */
const groupTables: Partial<Record<PlainKind, { table: string; column: string }>> = {
  term: { table: 'term_groups', column: 'group_id' },
  byline: { table: 'byline_groups', column: 'translation_group' },
};

/**
 * Takes the locks of the operations that delete such objects, before the first row is deleted.
 * @returns the groups of the objects
 */
async function lockGroups(tx: Queryable, kind: PlainKind, ids: readonly string[]): Promise<string[]> {
  const groups = groupTables[kind];
  if (!groups) return [];
  if (kind === 'term') {
    await tx.query(
      `SELECT 1 FROM taxonomies WHERE id IN (SELECT taxonomy_id FROM terms WHERE id = ANY($1))
       ORDER BY id FOR NO KEY UPDATE`,
      [ids],
    );
  }
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM ${groups.table} WHERE id IN (SELECT ${groups.column} FROM ${tables[kind]} WHERE id = ANY($1))
     ORDER BY id FOR UPDATE`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** Deletes those of the groups that have no locale left. */
async function deleteEmptyGroups(tx: Queryable, kind: PlainKind, ids: readonly string[]): Promise<void> {
  const groups = groupTables[kind];
  if (!groups) return;
  await tx.query(
    `DELETE FROM ${groups.table} g WHERE g.id = ANY($1)
       AND NOT EXISTS (SELECT FROM ${tables[kind]} o WHERE o.${groups.column} = g.id)`,
    [ids],
  );
}

/** SQL condition: entry `e` is as the import of record `r` left it. Comments that are left are those of others. */
const isUntouched = `e.version = r.target_version
  AND NOT EXISTS (SELECT FROM entry_locks l WHERE l.entry_id = e.id AND l.expires_at > now())
  AND NOT EXISTS (SELECT FROM comments c WHERE c.content_id = e.id)`;

/** @returns the ids of a collection's entries that the import may delete. */
async function selectUntouchedEntries(
  tx: Queryable,
  { table, slug }: CollectionDefinition,
  { importId, site }: UndoneImport,
  { limit, among }: { limit: number; among?: readonly string[] },
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT e.id FROM import_records r JOIN ${identifier(table)} e ON e.id = r.target_id
     WHERE r.import_id = $1 AND r.site = $2 AND r.kind = 'entry' AND r.collection = $3 AND ${isUntouched}
       AND ($5::text[] IS NULL OR e.id = ANY($5)) LIMIT $4`,
    [importId, site, slug, limit, among ?? null],
  );
  return rows.map(({ id }) => id);
}

/** Deletes entries that no user has changed, as from the trash. @returns the ids that were deleted. */
export async function deleteUntouchedEntries(
  tx: Queryable,
  definition: CollectionDefinition,
  undone: UndoneImport,
  limit: number,
): Promise<string[]> {
  const found = await selectUntouchedEntries(tx, definition, undone, { limit });
  if (found.length === 0) return [];
  const table = identifier(definition.table);
  await tx.query(
    `SELECT 1 FROM ${table} WHERE _translation_group IN (SELECT _translation_group FROM ${table} WHERE id = ANY($1))
     ORDER BY id FOR UPDATE`,
    [found],
  );
  const ids = await selectUntouchedEntries(tx, definition, undone, { limit, among: found });
  return deleteEntries(tx, definition, { ids, tenantId: undone.tenantId, onlyTrashed: false });
}

/** @returns the collections with entries of an import. */
export async function selectCollections(
  tx: Queryable,
  { importId, site }: Pick<UndoneImport, 'importId' | 'site'>,
): Promise<string[]> {
  const rows = await tx.query<{ slug: string }>(
    `SELECT slug FROM collections WHERE slug IN (
       SELECT collection FROM import_records WHERE import_id = $1 AND site = $2 AND kind = 'entry') ORDER BY slug`,
    [importId, site],
  );
  return rows.map(({ slug }) => slug);
}

/** Deletes the records of objects that do not exist any more. */
export async function deleteRecordsOfTargets(
  tx: Queryable,
  kind: ImportedKind,
  targetIds: readonly string[],
): Promise<void> {
  await tx.query('DELETE FROM import_records WHERE target_id = ANY($1) AND kind = $2', [targetIds, kind]);
}

/**
 * Deletes the records of objects that others have deleted, and counts those that are kept.
 * @param entryTables of the collections with entries of the import
 */
export async function settleKept(
  tx: Queryable,
  { importId, site }: UndoneImport,
  entryTables: readonly string[],
): Promise<Record<string, number>> {
  const sources = [...Object.values(tables), ...entryTables.map(identifier)];
  const ids = sources.map((source) => `SELECT id FROM ${source}`).join(' UNION ALL ');
  const rows = await tx.query<{ kind: string; count: number }>(
    `WITH existing AS (
       SELECT r.target_id AS id FROM import_records r JOIN (${ids}) o ON o.id = r.target_id
       WHERE r.import_id = $1 AND r.site = $2
     ), gone AS (
       DELETE FROM import_records r
       WHERE r.import_id = $1 AND r.site = $2 AND r.target_id NOT IN (SELECT id FROM existing)
     ) SELECT kind, count(*) AS count FROM import_records
       WHERE import_id = $1 AND site = $2 AND target_id IN (SELECT id FROM existing) GROUP BY kind`,
    [importId, site],
  );
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}
