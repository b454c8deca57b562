import type { FieldDefinition } from '@quire/content-model';
import { identifier, type Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { contentTableName } from '../tables/content-table.js';
import { findRelation, otherSide } from './relation.js';
import { stagedSelectionsKey } from './staged-selections.js';

/**
 * Makes links of the ids that a plain reference field holds, in its column and in drafts. Translations share one selection:
 * the ids of all are put together, those of ids that name no entry of the target are dropped.
 * @param before the plain field, whose column still exists
 * @param after the same field, bound
 * @throws QuireError FIELD_UPDATE_REQUIRES_MIGRATION when entries hold more ids than the relation allows.
 */
export async function convertReferenceField(
  tx: Transaction,
  held: { collection: string; table: string },
  before: FieldDefinition,
  after: FieldDefinition,
): Promise<void> {
  const { relation = '', relationSide: side = 'parent', targetCollection = '' } = after.validation ?? {};
  const found = await findRelation(tx, relation);
  if (!found) throw new Error(`The relation ${relation} is not stored`);
  const column = identifier(before.slug);
  const [own, other] = [`${side}_group`, `${otherSide(side)}_group`];
  await tx.query(
    `INSERT INTO reference_links (relation_id, ${own}, ${other}, sort_order)
     SELECT $1::text, e._translation_group, t._translation_group, min(chosen.position)
     FROM ${identifier(held.table)} e
     CROSS JOIN LATERAL (${idsIn(`e.${column}`)}) chosen
     JOIN ${identifier(contentTableName(targetCollection))} t ON t.id = chosen.id
     GROUP BY 2, 3 ON CONFLICT DO NOTHING`,
    [found.id],
  );
  await requireLimits(tx, found.id, before.slug);
  await stageDrafts(tx, held, before.slug, contentTableName(targetCollection));
}

/** The ids in a column's text, one or a JSON list of them, with their positions. */
function idsIn(text: string): string {
  return `
    SELECT id, (position - 1)::integer AS position FROM json_array_elements_text(
      CASE WHEN ${text} LIKE '[%' THEN (${text})::json WHEN ${text} IS NULL THEN '[]'::json
        ELSE json_build_array(${text}) END) WITH ORDINALITY AS listed (id, position)`;
}

async function requireLimits(tx: Transaction, relationId: string, field: string): Promise<void> {
  const over = await tx.query(
    `SELECT 1 FROM reference_links l JOIN relations r ON r.id = l.relation_id WHERE r.id = $1
     GROUP BY l.parent_group, r.max_children_per_parent HAVING count(*) > r.max_children_per_parent
     UNION ALL
     SELECT 1 FROM reference_links l JOIN relations r ON r.id = l.relation_id WHERE r.id = $1
     GROUP BY l.child_group, r.max_parents_per_child HAVING count(*) > r.max_parents_per_child
     LIMIT 1`,
    [relationId],
  );
  if (over.length === 0) return;
  throw new QuireError(
    'FIELD_UPDATE_REQUIRES_MIGRATION',
    `validation: entries hold more ids in '${field}' than the relation allows; change them first`,
  );
}

/** What a draft holds in the field becomes its staged selection. */
async function stageDrafts(
  tx: Transaction,
  held: { collection: string; table: string },
  field: string,
  targetTable: string,
): Promise<void> {
  await tx.query(
    `UPDATE revisions r SET data = (
       (r.data::jsonb - $2) || jsonb_build_object('${stagedSelectionsKey}',
         coalesce(r.data::jsonb -> '${stagedSelectionsKey}', '{}'::jsonb)
         || jsonb_build_object($2::text, (
           SELECT coalesce(jsonb_agg(t._translation_group ORDER BY chosen.position), '[]'::jsonb)
           FROM (${idsIn('(r.data ->> $2)')}) chosen JOIN ${identifier(targetTable)} t ON t.id = chosen.id)))
     )::json
     WHERE r.collection = $1 AND r.data -> $2 IS NOT NULL
       AND r.id IN (SELECT draft_revision_id FROM ${identifier(held.table)} WHERE status = 'published')`,
    [held.collection, field],
  );
}
