import type { BlockTypes } from '../fields/blocks-field.js';
import type { CompiledRecord } from '../fields/validation-context.js';
import { compileField } from '../fields/compile-field.js';
import type { FieldDefinition } from '../fields/field-definition.js';

/** The compiled fields of a collection or a block-type version. Holds no values and may be shared. */
export type CompiledFields = CompiledRecord;

/**
 * Compiles a set of fields for `validateValues`. It compiles patterns and builds look-ups: callers compile each version
 * of a collection once and cache the result.
 * @param fields checked definitions
 * @param ownerSlug the collection or block type, for messages
 * @param lookups `blockTypes`: the block types of the site; without it a blocks field accepts only the empty list
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
