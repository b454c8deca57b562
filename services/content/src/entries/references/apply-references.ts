import type { Queryable } from '@quire/database';
import { invalidInput, type Issue } from '@quire/errors';
import { contentTableName, otherSide, type RelationReference } from '../../schema/index.js';
import { collectionBusyError } from '../entry-errors.js';
import { lockReferenceTargets } from '../repository/lock-entry.js';
import type { ReferenceSelection } from './reference-selection.js';

interface Limits {
  /** Entries that an entry on the selecting end may select. */
  own: number | null;
  /** Entries that may select an entry on the other end. */
  other: number | null;
}

/**
 * Makes selections live. Relations are locked until the commit, always in the same order, so that parallel writers
 * cannot exceed a limit together. All selected entries are locked before the first link changes, because a deletion
 * locks an entry before its links. Groups without entries are left out.
 * @throws QuireError VALIDATION_ERROR when a limit of a relation would be exceeded, or none of the entries of a
 *   required selection exists.
 */
export async function applyReferences(
  tx: Queryable,
  group: string,
  selections: readonly ReferenceSelection[],
): Promise<void> {
  const ordered = [...selections].sort((left, right) =>
    left.reference.relationId < right.reference.relationId ? -1 : 1,
  );
  const limited: (ReferenceSelection & { limits: Limits })[] = [];
  for (const selection of ordered)
    limited.push({ ...selection, limits: await limitsOf(tx, selection.reference, { withRowLock: true }) });
  const locked: typeof limited = [];
  const emptied: Issue[] = [];
  for (const { reference, groups, limits } of limited) {
    const table = contentTableName(reference.target);
    const left = await lockReferenceTargets(tx, table, groups);
    // A selected entry may have been deleted while the selection was staged, or since it was looked up.
    if (reference.isRequired && groups.length > 0 && left.length === 0) {
      const message = 'is required, and none of the selected entries exists any more';
      emptied.push({ path: `references.${reference.field}`, message });
    }
    locked.push({ reference, limits, groups: left });
  }
  if (emptied.length > 0) throw invalidInput(emptied);
  for (const { limits, ...selection } of locked) {
    await assertWithinLimits(tx, group, selection, limits);
    await replaceLinks(tx, group, selection);
  }
}

/** Checks staged selections against the present limits. @throws QuireError VALIDATION_ERROR. */
export async function assertSelectionsWithinLimits(
  sql: Queryable,
  group: string,
  selections: readonly ReferenceSelection[],
): Promise<void> {
  for (const selection of selections)
    await assertWithinLimits(sql, group, selection, await limitsOf(sql, selection.reference));
}

/** @returns a selection that is copied to another entry, without targets at their limit. */
export async function dropFullTargets(
  sql: Queryable,
  group: string,
  selection: ReferenceSelection,
): Promise<ReferenceSelection> {
  const { other } = await limitsOf(sql, selection.reference);
  const full = new Set(await fullGroups(sql, group, selection, other));
  return { ...selection, groups: selection.groups.filter((candidate) => !full.has(candidate)) };
}

async function limitsOf(
  sql: Queryable,
  { relationId, side }: RelationReference,
  { withRowLock = false } = {},
): Promise<Limits> {
  const [row] = await sql.query<{ children: number | null; parents: number | null }>(
    `SELECT max_children_per_parent AS children, max_parents_per_child AS parents FROM relations
     WHERE id = $1 ${withRowLock ? 'FOR UPDATE' : ''}`,
    [relationId],
  );
  if (!row) throw collectionBusyError();
  return side === 'parent'
    ? { own: row.children, other: row.parents }
    : { own: row.parents, other: row.children };
}

async function assertWithinLimits(
  sql: Queryable,
  group: string,
  selection: ReferenceSelection,
  limits: Limits,
): Promise<void> {
  const { reference, groups } = selection;
  const path = `references.${reference.field}`;
  const issues: Issue[] = [];
  if (limits.own !== null && groups.length > limits.own)
    issues.push({ path, message: `takes at most ${limits.own}` });
  for (const full of await fullGroups(sql, group, selection, limits.other)) {
    const message = `is selected by as many entries as the relation allows (${limits.other})`;
    issues.push({ path: `${path}.${groups.indexOf(full)}`, message });
  }
  if (issues.length > 0) throw invalidInput(issues);
}

/** @returns the selected groups that other entries already select as often as the limit allows. */
async function fullGroups(
  sql: Queryable,
  group: string,
  { reference: { relationId, side }, groups }: ReferenceSelection,
  limit: number | null,
): Promise<string[]> {
  if (limit === null || groups.length === 0) return [];
  const other = `${otherSide(side)}_group`;
  const rows = await sql.query<{ group: string }>(
    `SELECT ${other} AS "group" FROM reference_links
     WHERE relation_id = $1 AND ${other} = ANY($2) AND ${side}_group <> $3
     GROUP BY 1 HAVING count(*) >= $4`,
    [relationId, groups, group, limit],
  );
  return rows.map((row) => row.group);
}

/** Children have an order; a child that selects a parent becomes its last one. */
async function replaceLinks(
  tx: Queryable,
  group: string,
  { reference: { relationId, side }, groups }: ReferenceSelection,
): Promise<void> {
  const other = `${otherSide(side)}_group`;
  await tx.query(
    `DELETE FROM reference_links WHERE relation_id = $1 AND ${side}_group = $2 AND ${other} <> ALL($3)`,
    [relationId, group, groups],
  );
  const insert =
    side === 'parent'
      ? `SELECT $1, $2, chosen.other, chosen.position - 1 FROM unnest($3::text[]) WITH ORDINALITY AS chosen (other, position)
         ON CONFLICT (relation_id, parent_group, child_group) DO UPDATE SET sort_order = excluded.sort_order`
      : `SELECT $1, chosen.other, $2, (
           SELECT coalesce(max(l.sort_order) + 1, 0) FROM reference_links l
           WHERE l.relation_id = $1 AND l.parent_group = chosen.other)
         FROM unnest($3::text[]) AS chosen (other)
         ON CONFLICT DO NOTHING`;
  await tx.query(
    `INSERT INTO reference_links (relation_id, parent_group, child_group, sort_order) ${insert}`,
    [relationId, group, groups],
  );
}
