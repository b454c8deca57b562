import type { FieldDefinition } from '@quire/content-model';
import type { Queryable } from '@quire/database';
import { invalidInput } from '@quire/errors';

/**
 * What is stored of a blocks field: its allowed types must exist, and types that are allowed no longer are retired,
 * which keeps stored blocks of theirs valid (spec document 3, `blocks` rules). What a client says of retired types is
 * ignored.
 * @throws QuireError VALIDATION_ERROR for a type that is not defined.
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
  const rows = await sql.query<{ slug: string }>('SELECT slug FROM block_types ORDER BY slug');
  const known = rows.map(({ slug }) => slug);
  assertBlockTypesExist(allowedTypes, known);
  const retired = before ? typesBefore(before, known).filter((slug) => !allowedTypes.includes(slug)) : [];
  return withRules(field, retired.length > 0 ? { ...rules, retiredTypes: [...new Set(retired)] } : rules);
}

/** Types that stored blocks may have; a field without a list took all. */
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
