import type { BlockTypes } from '../fields/blocks-field.js';
import type { CompiledRecord } from '../fields/validation-context.js';
import { compileField } from '../fields/compile-field.js';
import type { FieldDefinition } from '../fields/field-definition.js';

/** The fields of a collection or a block-type version, ready for checking values. Holds no values and may be shared. */
export type CompiledFields = CompiledRecord;

/**
 * Makes a set of fields ready for `validateValues`. It compiles patterns and builds look-ups, so it is done once for
 * each version of a collection and kept.
 * @param fields checked definitions
 * @param ownerSlug the collection (or block type), as messages name it
 * @param lookups `blockTypes` answers what a blocks field asks; without it such a field accepts only the empty list
 * @throws Error when a definition was never checked and its pattern does not compile
 */
export function compileFields(
  fields: readonly FieldDefinition[],
  ownerSlug: string,
  lookups: { blockTypes?: BlockTypes } = {},
): CompiledFields {
  const blockTypes = lookups.blockTypes ?? null;
  return {
    owner: ownerSlug,
    fields: new Map(fields.map((field) => [field.slug, compileField(field, blockTypes)])),
  };
}
