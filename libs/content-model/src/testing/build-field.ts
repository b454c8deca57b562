import type { FieldDefinition } from '../fields/field-definition.js';

/** A complete field for a spec: an optional `string` field with the given changes. */
export function buildField(parts: Partial<FieldDefinition> = {}): FieldDefinition {
  const slug = parts.slug ?? 'field';
  return {
    slug,
    label: slug,
    type: 'string',
    required: false,
    unique: false,
    searchable: false,
    indexed: false,
    translatable: true,
    defaultValue: null,
    validation: null,
    widget: null,
    options: null,
    sortOrder: null,
    ...parts,
  };
}
