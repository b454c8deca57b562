import {
  allowsMultiple,
  isRelationField,
  isRequired,
  type FieldDefinition,
} from '../fields/field-definition.js';
import { columnClass, plainTextTypes } from '../fields/field-types.js';
import { isIndexedText } from '../fields/indexed-text.js';
import type { DefinitionProblem } from './slugs.js';

/**
 * The condition of a stricter definition on the stored data: no absent value; no value twice in a locale (null never
 * collides); one value in every locale of an entry; no text of more than `maxIndexedBytes`.
 */
export type DataCheck = 'required' | 'unique' | 'translatable' | 'indexed';

export interface FieldChange {
  /** Reasons against the change that do not depend on the data; empty when there are none. */
  problems: DefinitionProblem[];
  /** Conditions that the stored data must meet; if one fails, the change is FIELD_UPDATE_REQUIRES_MIGRATION. */
  dataChecks: DataCheck[];
}

/**
 * Decides whether an existing field may become another (document 3; sheet rest-shapes, section 14, Fields). A looser
 * definition is always allowed, a stricter one if the data fits. `checkFieldDefinition` has accepted both definitions.
 * @param collection `hasRows`: whether the collection has entries, including trashed ones
 */
export function checkFieldChange(
  before: FieldDefinition,
  after: FieldDefinition,
  collection: { hasRows: boolean },
): FieldChange {
  const problems = [
    ...slugProblems(before, after),
    ...typeProblems(before, after),
    ...relationProblems(before, after),
  ];
  if (!collection.hasRows) return { problems, dataChecks: [] };

  problems.push(...migrationProblems(before, after));
  const dataChecks: DataCheck[] = [];
  if (isRequired(after) && !isRequired(before)) dataChecks.push('required');
  if (after.unique && !before.unique) dataChecks.push('unique');
  if (!after.translatable && before.translatable) dataChecks.push('translatable');
  if (isIndexedText(after) && !before.indexed) dataChecks.push('indexed');
  return { problems, dataChecks };
}

function slugProblems(before: FieldDefinition, after: FieldDefinition): DefinitionProblem[] {
  return before.slug === after.slug
    ? []
    : [{ code: 'VALIDATION_ERROR', path: 'slug', message: 'cannot be changed after the field was created' }];
}

function typeProblems(before: FieldDefinition, after: FieldDefinition): DefinitionProblem[] {
  if (before.type === after.type) return [];
  if (plainTextTypes.has(before.type) && plainTextTypes.has(after.type)) return [];
  const isOtherColumn =
    columnClass(before.type) !== columnClass(after.type) || isRelationField(before) || isRelationField(after);
  return [
    isOtherColumn
      ? {
          code: 'FIELD_TYPE_COLUMN_CHANGE',
          path: 'type',
          message: `cannot change from ${before.type} to ${after.type}: the values are stored in another kind of column`,
        }
      : {
          code: 'FIELD_TYPE_CHANGE_REQUIRES_MIGRATION',
          path: 'type',
          message: `cannot change from ${before.type} to ${after.type} without a content migration`,
        },
  ];
}

/** The target of a bound reference is fixed: delete the field and add it again to change it. */
function relationProblems(before: FieldDefinition, after: FieldDefinition): DefinitionProblem[] {
  if (!isRelationField(before) || after.type !== 'reference') return [];
  return (['relation', 'relationSide', 'targetCollection'] as const)
    .filter((rule) => (before.validation?.[rule] ?? null) !== (after.validation?.[rule] ?? null))
    .map((rule) => ({
      code: 'VALIDATION_ERROR',
      path: `validation.${rule}`,
      message: 'is fixed after the field was created',
    }));
}

function migrationProblems(before: FieldDefinition, after: FieldDefinition): DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  if (after.type === 'blocks' && minItems(after) > minItems(before)) {
    problems.push(migration('validation.minItems', 'cannot be raised while the collection has entries'));
  }
  // The column would still hold lists, which a field of one id cannot read. Binding a relation turns them into links.
  if (
    allowsMultiple(before) &&
    after.type === 'reference' &&
    !allowsMultiple(after) &&
    !bindsRelation(after)
  ) {
    problems.push(
      migration('options.allowMultiple', 'cannot be taken away while the collection has entries'),
    );
  }
  return problems;
}

function minItems(field: FieldDefinition): number {
  return field.type === 'blocks' ? (field.validation?.minItems ?? 0) : 0;
}

function bindsRelation(field: FieldDefinition): boolean {
  return isRelationField(field) || field.validation?.targetCollection !== undefined;
}

function migration(path: string, message: string): DefinitionProblem {
  return { code: 'FIELD_UPDATE_REQUIRES_MIGRATION', path, message };
}
