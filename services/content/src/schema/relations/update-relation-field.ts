import { checkFieldChange, isRelationField, isRequired, type FieldDefinition } from '@quire/content-model';
import { QuireError } from '@quire/errors';
import { throwFirstProblem } from '../fields/field-rules.js';
import type { LockedCollection } from '../schema-change.js';
import { dropFieldColumn } from '../tables/content-table.repository.js';
import { updateLabelOfSide } from './bind-reference-field.js';
import { convertReferenceField } from './convert-reference-field.js';
import { selectRelationReferences } from './relation-reference.js';
import { hasUnlinkedEntry } from './relations.repository.js';

/** Properties that a reference field loses with its column when it is bound to a relation. */
export const plainSettings = {
  searchable: false,
  indexed: false,
  unique: false,
  defaultValue: null,
  options: null,
};

/** Whether an update binds a plain reference field to a relation. */
export function isConversion(
  before: FieldDefinition,
  update: { validation?: unknown; type?: unknown },
): boolean {
  const rules = (update.validation ?? {}) as Record<string, unknown>;
  return (
    before.type === 'reference' &&
    !isRelationField(before) &&
    (update.type ?? 'reference') === 'reference' &&
    (rules['targetCollection'] ?? rules['relation']) !== undefined
  );
}

/**
 * Updates a field that views a relation, or converts a plain reference field into one. Such a field has no column:
 * `required` is checked against links.
 * @throws QuireError VALIDATION_ERROR (its target is fixed), FIELD_UPDATE_REQUIRES_MIGRATION.
 */
export async function updateRelationField(
  { tx, table }: LockedCollection,
  before: FieldDefinition,
  after: FieldDefinition,
): Promise<void> {
  throwFirstProblem(checkFieldChange(before, after, { hasRows: false }).problems);
  if (!isRelationField(before)) {
    await convertReferenceField(tx, table, before, after);
    await dropFieldColumn(tx, table, before);
  }
  const [reference] =
    isRequired(after) && !isRequired(before) ? await selectRelationReferences(tx, [after]) : [];
  if (reference && (await hasUnlinkedEntry(tx, table, reference))) {
    throw new QuireError(
      'FIELD_UPDATE_REQUIRES_MIGRATION',
      `required: entries are stored that select nothing in '${after.slug}'; change them first`,
    );
  }
  if (after.label !== before.label) await updateLabelOfSide(tx, after);
}
