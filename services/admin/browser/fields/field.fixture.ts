import type { Field } from '../api/bootstrap.js';

/** A field of the bootstrap, optional and without rules unless a test gives some. */
export function testField(type: Field['type'], more: Partial<Field> = {}): Field {
  return {
    id: '01FIELD',
    collectionId: '01COLLECTION',
    slug: 'value',
    label: 'Value',
    type,
    columnType: 'TEXT',
    required: false,
    unique: false,
    validation: null,
    widget: null,
    options: null,
    sortOrder: 0,
    searchable: false,
    indexed: false,
    translatable: true,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...more,
  };
}
