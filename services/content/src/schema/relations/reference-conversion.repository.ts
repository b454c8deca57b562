import { allowsMultiple, type FieldDefinition } from '@quire/content-model';
import { identifier, literal, type Transaction } from '@quire/database';
import { stagedSelectionsKey } from '../fields/field-data.repository.js';
import { otherSide } from './relation-reference.js';
import type { RelationSide, StoredRelation } from './relations.repository.js';

/** The conversion of a plain reference field, whose column still exists, into links. */
export interface ReferenceConversion {
  relation: StoredRelation;
  /** The end that the field views. */
  side: RelationSide;
  field: FieldDefinition;
  /** Table of the entries with the field. */
  table: string;
  /** Table of the entries that the ids name. */
  target: string;
}

/** SQL of the field's ids as JSON lists: in the column of entry `e`, and in draft `d`. */
const idsOf = (field: FieldDefinition) => ({
  live: idsOfColumn(field),
  drafted: idsOfJson(`(d.data -> ${literal(field.slug)})`),
});

/**
 * Pattern of a list of ids in a column. Any other text that begins with a bracket is a single id, stored before the
 * field allowed several.
 */
const storedList = (() => {
  const id = String.raw`"([^"\\\u0001-\u001f]|\\["\\bfnrt]|\\u00[01][0-9a-f])*"`;
  return String.raw`^\[(${id}(,${id})*)?\]$`;
})();

function idsOfColumn(field: FieldDefinition): string {
  const column = `e.${identifier(field.slug)}`;
  const list = allowsMultiple(field) ? `WHEN ${column} ~ ${literal(storedList)} THEN ${column}::json` : '';
  return `CASE WHEN ${column} IS NULL THEN '[]'::json ${list} ELSE json_build_array(${column}) END`;
}

function idsOfJson(value: string): string {
  return `CASE json_typeof(${value}) WHEN 'array' THEN ${value} WHEN 'string' THEN json_build_array(${value})
    ELSE '[]'::json END`;
}

/** SQL of the target's groups that a JSON list of ids names, each at its first position. */
function groupsNamed(ids: string, target: string): string {
  return `
    SELECT t._translation_group AS grp, min(chosen.position)::integer - 1 AS position
    FROM json_array_elements_text(${ids}) WITH ORDINALITY AS chosen (id, position)
    JOIN ${identifier(target)} t ON t.id = chosen.id GROUP BY 1`;
}

/**
 * Links the entries of a table to the entries of their ids. An unpublished entry counts with its draft, if it has one.
 * New links follow the existing ones.
 */
export async function insertConvertedLinks(tx: Transaction, conversion: ReferenceConversion): Promise<void> {
  const { relation, side, table, target, field } = conversion;
  const { live, drafted } = idsOf(field);
  const parent = side === 'parent' ? 'e._translation_group' : 'named.grp';
  await tx.query(
    `INSERT INTO reference_links (relation_id, ${side}_group, ${otherSide(side)}_group, sort_order)
     SELECT $1::text, e._translation_group, named.grp, min(${side === 'parent' ? 'named.position' : '0'}) + (
       SELECT coalesce(max(l.sort_order) + 1, 0) FROM reference_links l
       WHERE l.relation_id = $1 AND l.parent_group = ${parent})
     FROM ${identifier(table)} e LEFT JOIN revisions d ON d.id = e.draft_revision_id AND e.status <> 'published'
     CROSS JOIN LATERAL (${groupsNamed(`CASE WHEN d.id IS NULL THEN ${live} ELSE ${drafted} END`, target)}) named
     GROUP BY 2, 3 ON CONFLICT DO NOTHING`,
    [relation.id],
  );
}

/** Whether an entry has more links of a relation than its limits allow. */
export async function exceedsLinkLimits(tx: Transaction, relationId: string): Promise<boolean> {
  const over = await tx.query(
    `SELECT 1 FROM reference_links l JOIN relations r ON r.id = l.relation_id WHERE r.id = $1
     GROUP BY l.parent_group, r.max_children_per_parent HAVING count(*) > r.max_children_per_parent
     UNION ALL
     SELECT 1 FROM reference_links l JOIN relations r ON r.id = l.relation_id WHERE r.id = $1
     GROUP BY l.child_group, r.max_parents_per_child HAVING count(*) > r.max_parents_per_child
     LIMIT 1`,
    [relationId],
  );
  return over.length > 0;
}

/**
 * Moves ids out of drafts: where the draft of a published entry differs from its column, they become a staged
 * selection.
 */
export async function updateConvertedDrafts(
  tx: Transaction,
  { field, table, target }: ReferenceConversion,
): Promise<void> {
  const { live, drafted } = idsOf(field);
  await tx.query(
    `UPDATE revisions d SET data = (
       SELECT coalesce(json_object_agg(key, value), '{}'::json) FROM (
         SELECT key, value FROM json_each(d.data) WHERE key NOT IN ($1, '${stagedSelectionsKey}')
         UNION ALL
         SELECT '${stagedSelectionsKey}', json_object_agg(key, value) FROM (
           SELECT key, value FROM json_each(d.data -> '${stagedSelectionsKey}')
           UNION ALL
           SELECT $1, (SELECT coalesce(json_agg(grp ORDER BY position), '[]'::json) FROM (${groupsNamed(drafted, target)}) named)
           WHERE e.status = 'published' AND (${drafted})::text <> (${live})::text
         ) staged HAVING count(*) > 0
       ) parts)
     FROM ${identifier(table)} e WHERE d.id = e.draft_revision_id`,
    [field.slug],
  );
}
