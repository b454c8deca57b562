import type { FieldDefinition } from '@quire/content-model';
import type { Queryable } from '@quire/database';
import { invalidInput } from '@quire/errors';
import { selectBlockTypeSlugs } from './block-types.repository.js';

/**
 * Completes the definition of a blocks field (spec document 3, `blocks` rules). Its allowed types must exist. Types
 * that are no longer allowed are retired, which keeps stored blocks of these types valid; `retiredTypes` in a request
 * is ignored.
 * @param before the stored definition of an existing field
 * @throws QuireError VALIDATION_ERROR for a type that does not exist.
 */
export async function resolveAllowedBlockTypes(
  sql: Queryable,
  field: FieldDefinition,
  before?: FieldDefinition,
): Promise<FieldDefinition> {
  if (field.type !== 'blocks') return field;
  const { retiredTypes: _ignored, ...rules } = field.validation ?? {};
  const { allowedTypes } = rules;
  if (allowedTypes === undefined) return withRules(field, rules);
  const known = await selectBlockTypeSlugs(sql);
  assertBlockTypesExist(allowedTypes, known);
  const retired = before ? typesBefore(before, known).filter((slug) => !allowedTypes.includes(slug)) : [];
  return withRules(field, retired.length > 0 ? { ...rules, retiredTypes: [...new Set(retired)] } : rules);
}

/** The types of stored blocks; a field without a list accepted all. */
function typesBefore({ validation }: FieldDefinition, known: readonly string[]): readonly string[] {
  const { allowedTypes, retiredTypes = [] } = validation ?? {};
  return allowedTypes === undefined ? known : [...allowedTypes, ...retiredTypes];
}

function withRules(
  field: FieldDefinition,
  rules: NonNullable<FieldDefinition['validation']>,
): FieldDefinition {
  return { ...field, validation: Object.keys(rules).length > 0 ? rules : null };
}

function assertBlockTypesExist(allowed: readonly string[], known: readonly string[]): void {
  const issues = allowed.flatMap((slug, index) =>
    known.includes(slug)
      ? []
      : [{ path: `validation.allowedTypes.${index}`, message: `block type '${slug}' not found` }],
  );
  if (issues.length > 0) throw invalidInput(issues);
}
