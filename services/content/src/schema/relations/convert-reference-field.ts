import { allowsMultiple, type FieldDefinition } from '@quire/content-model';
import { identifier, literal, type Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { contentTableName } from '../tables/content-table.js';
import { otherSide } from './relation-reference.js';
import {
  selectRelation,
  stagedSelectionsKey,
  type RelationSide,
  type StoredRelation,
} from './relations.repository.js';

/** The conversion of a plain field: `live` and `drafted` are the SQL of its ids as JSON lists. */
interface Conversion {
  relation: StoredRelation;
  /** The end that the field views. */
  side: RelationSide;
  field: string;
  /** Table of the entries with the field. */
  table: string;
  /** Table of the entries that the ids name. */
  target: string;
  /** In the column of entry `e`. */
  live: string;
  /** In the draft `d`. */
  drafted: string;
}

/**
 * Converts the ids of a plain reference field, in its column and in drafts, into links. Translations share one
 * selection: the ids of all are merged. Ids that name no entry of the target are dropped.
 * @param before the plain field, whose column still exists
 * @param after the same field, bound to a relation
 * @throws QuireError FIELD_UPDATE_REQUIRES_MIGRATION when entries have more ids than the relation allows.
 */
export async function convertReferenceField(
  tx: Transaction,
  table: string,
  before: FieldDefinition,
  after: FieldDefinition,
): Promise<void> {
  const {
    relation: slug = '',
    relationSide: side = 'parent',
    targetCollection = '',
  } = after.validation ?? {};
  const relation = await selectRelation(tx, slug);
  if (!relation) throw new Error(`The relation ${slug} is not stored`);
  const conversion: Conversion = {
    relation,
    side,
    field: before.slug,
    table: identifier(table),
    target: identifier(contentTableName(targetCollection)),
    live: idsOfColumn(before),
    drafted: idsOfJson(`(d.data -> ${literal(before.slug)})`),
  };
  await linkIds(tx, conversion);
  await assertLinkLimits(tx, conversion);
  await moveDrafts(tx, conversion);
}

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
    JOIN ${target} t ON t.id = chosen.id GROUP BY 1`;
}

/** An unpublished entry counts with its draft, if it has one. New links follow the existing ones. */
async function linkIds(tx: Transaction, conversion: Conversion): Promise<void> {
  const { relation, side, table, target, live, drafted } = conversion;
  const parent = side === 'parent' ? 'e._translation_group' : 'named.grp';
  await tx.query(
    `INSERT INTO reference_links (relation_id, ${side}_group, ${otherSide(side)}_group, sort_order)
     SELECT $1::text, e._translation_group, named.grp, min(${side === 'parent' ? 'named.position' : '0'}) + (
       SELECT coalesce(max(l.sort_order) + 1, 0) FROM reference_links l
       WHERE l.relation_id = $1 AND l.parent_group = ${parent})
     FROM ${table} e LEFT JOIN revisions d ON d.id = e.draft_revision_id AND e.status <> 'published'
     CROSS JOIN LATERAL (${groupsNamed(`CASE WHEN d.id IS NULL THEN ${live} ELSE ${drafted} END`, target)}) named
     GROUP BY 2, 3 ON CONFLICT DO NOTHING`,
    [relation.id],
  );
}

async function assertLinkLimits(tx: Transaction, { relation, field }: Conversion): Promise<void> {
  const over = await tx.query(
    `SELECT 1 FROM reference_links l JOIN relations r ON r.id = l.relation_id WHERE r.id = $1
     GROUP BY l.parent_group, r.max_children_per_parent HAVING count(*) > r.max_children_per_parent
     UNION ALL
     SELECT 1 FROM reference_links l JOIN relations r ON r.id = l.relation_id WHERE r.id = $1
     GROUP BY l.child_group, r.max_parents_per_child HAVING count(*) > r.max_parents_per_child
     LIMIT 1`,
    [relation.id],
  );
  if (over.length === 0) return;
  throw new QuireError(
    'FIELD_UPDATE_REQUIRES_MIGRATION',
    `validation: entries hold more ids in '${field}' than the relation allows; change them first`,
  );
}

/**
 * Moves ids out of drafts: where the draft of a published entry differs from its column, they become a staged
 * selection.
 */
async function moveDrafts(tx: Transaction, conversion: Conversion): Promise<void> {
  const { field, table, target, live, drafted } = conversion;
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
     FROM ${table} e WHERE d.id = e.draft_revision_id`,
    [field],
  );
}
