import { identifier, type Queryable } from '@quire/database';
import type { CollectionDefinition } from '../../schema/index.js';

/**
 * Locks an entry against other changes until the transaction ends; others can still link to it. It is read by another
 * statement afterwards: one statement for both would wait for the lock and return the new row with the former draft.
 */
export async function lockEntryRow(
  tx: Queryable,
  { table }: CollectionDefinition,
  id: string,
): Promise<void> {
  await tx.query({
    prepared: true,
    text: `SELECT 1 FROM ${identifier(table)} WHERE id = $1 FOR NO KEY UPDATE`,
    values: [id],
  });
}

/**
 * Locks all entries of a translation group until the transaction ends, always in the same order, so that writers of two
 * translations do not deadlock.
 * @param options.alsoFromLinks for a deletion: no other transaction can link to the entries, see `lockReferenceTargets`
 * @returns the entries and their versions.
 */
export async function lockEntryGroup(
  tx: Queryable,
  { table }: CollectionDefinition,
  group: string,
  { alsoFromLinks = false }: { alsoFromLinks?: boolean } = {},
): Promise<{ id: string; version: number }[]> {
  return tx.query({
    prepared: true,
    text: `SELECT id, version FROM ${identifier(table)} WHERE _translation_group = $1 ORDER BY id
      FOR ${alsoFromLinks ? 'UPDATE' : 'NO KEY UPDATE'}`,
    values: [group],
  });
}

/**
 * Keeps entries of these groups from being deleted until the transaction ends; they can still be changed.
 * @param table of the entries
 * @returns the groups that have entries, in the given order.
 */
export async function lockReferenceTargets(
  tx: Queryable,
  table: string,
  groups: readonly string[],
): Promise<string[]> {
  if (groups.length === 0) return [];
  const rows = await tx.query<{ group: string }>(
    `SELECT _translation_group AS "group" FROM ${identifier(table)}
     WHERE _translation_group = ANY($1) ORDER BY id FOR KEY SHARE`,
    [groups],
  );
  const locked = new Set(rows.map((row) => row.group));
  return groups.filter((group) => locked.has(group));
}

/** Serialises inserts with generated slugs of one stem until the transaction ends. */
export async function lockSlugStem(
  tx: Queryable,
  { id }: CollectionDefinition,
  { stem, locale }: { stem: string; locale: string },
): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`${id}:${locale}:${stem}`]);
}
