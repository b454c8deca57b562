import type { FieldDefinition } from '@quire/content-model';
import type { Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { contentTableName } from '../tables/content-table.repository.js';
import {
  exceedsLinkLimits,
  insertConvertedLinks,
  updateConvertedDrafts,
  type ReferenceConversion,
} from './reference-conversion.repository.js';
import { selectRelation } from './relations.repository.js';

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
  const target = contentTableName(targetCollection);
  const conversion: ReferenceConversion = { relation, side, field: before, table, target };
  await insertConvertedLinks(tx, conversion);
  if (await exceedsLinkLimits(tx, relation.id)) {
    throw new QuireError(
      'FIELD_UPDATE_REQUIRES_MIGRATION',
      `validation: entries hold more ids in '${before.slug}' than the relation allows; change them first`,
    );
  }
  await updateConvertedDrafts(tx, conversion);
}
