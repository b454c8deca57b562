import { describe, expect, it } from '@jest/globals';
import { fieldTypes, type FieldType } from '../fields/field-types.js';
import {
  baseImportFields,
  checkImportCompatibility,
  importCollectionSlug,
  importLabel,
  isCompatibleType,
  legalSlug,
  parentField,
} from './index.js';

describe('isCompatibleType (import contract 1.2)', () => {
  it('accepts the type itself and the listed pairs, and nothing else', () => {
    const pairs = fieldTypes.flatMap((required) =>
      fieldTypes
        .filter((existing) => existing !== required && isCompatibleType(required, existing))
        .map((existing) => `${required} -> ${existing}`),
    );
    expect(fieldTypes.every((type) => isCompatibleType(type, type))).toBe(true);
    expect(pairs).toEqual([
      'string -> text',
      'string -> slug',
      'text -> string',
      'number -> integer',
      'integer -> number',
      'portableText -> json',
    ]);
  });
});

describe('checkImportCompatibility (import contract 1.2)', () => {
  const existing = (...fields: [string, FieldType][]) => fields.map(([slug, type]) => ({ slug, type }));

  it('reports a new collection with every field missing', () => {
    const { status, schemaStatus } = checkImportCompatibility(baseImportFields, null);
    expect(status).toBe('new_collection');
    expect(schemaStatus).toMatchObject({ exists: false, canImport: true });
    expect(schemaStatus.fieldStatus['content']).toEqual({ status: 'missing', requiredType: 'portableText' });
  });

  it.each<[string, [string, FieldType][], string]>([
    [
      'ready',
      [
        ['title', 'text'],
        ['content', 'json'],
        ['excerpt', 'string'],
        ['own', 'file'],
      ],
      'ready',
    ],
    ['add_fields', [['title', 'string']], 'add_fields'],
    ['add_fields for a collection without fields', [], 'add_fields'],
    ['incompatible, also when other fields are missing', [['title', 'integer']], 'incompatible'],
  ])('reports %s', (_name, fields, status) => {
    expect(checkImportCompatibility(baseImportFields, existing(...fields)).status).toBe(status);
  });

  it('is ready when another field has the place of the one for parents', () => {
    const fields = existing(
      ['title', 'string'],
      ['content', 'json'],
      ['excerpt', 'text'],
      ['parent', 'string'],
    );
    const { status, schemaStatus } = checkImportCompatibility([...baseImportFields, parentField], fields);
    expect([status, schemaStatus.canImport]).toEqual(['ready', true]);
    expect(schemaStatus.fieldStatus['parent']).toEqual({
      status: 'type_mismatch',
      existingType: 'string',
      requiredType: 'reference',
    });
    const ownField = { slug: 'parent', type: 'integer' as const };
    expect(checkImportCompatibility([ownField], fields).status).toBe('incompatible');
  });

  it('names each field of another type in the reason', () => {
    const fields = existing(['title', 'integer'], ['content', 'text'], ['excerpt', 'text']);
    expect(checkImportCompatibility(baseImportFields, fields).schemaStatus).toEqual({
      exists: true,
      canImport: false,
      reason: "Fields of other types: 'title' is integer, not string; 'content' is text, not portableText",
      fieldStatus: {
        title: { status: 'type_mismatch', existingType: 'integer', requiredType: 'string' },
        content: { status: 'type_mismatch', existingType: 'text', requiredType: 'portableText' },
        excerpt: { status: 'compatible', existingType: 'text', requiredType: 'text' },
      },
    });
  });
});

describe('slugs of imports', () => {
  it.each([
    ['Shop-Order', 'shop_order'],
    ['12 Angry men', 'angry_men'],
    ['日本', 'imported'],
    ['users', 'legacy_users'],
    ['_media', 'legacy_media'],
    ['posts', 'posts'],
    ['x'.repeat(80), 'x'.repeat(63)],
  ])('importCollectionSlug(%s) is %s', (name, slug) => {
    expect(importCollectionSlug(name)).toBe(slug);
  });

  it.each([
    ['acf_field--group', 'Acf field group'],
    [' my key ', 'My key'],
    ['日本', '日本'],
    ['__', ''],
  ])('importLabel(%s) is %s', (name, label) => {
    expect(importLabel(name)).toBe(label);
  });

  it('legalSlug uses the fallback for a name without a letter', () => {
    expect(legalSlug('123', 'taxonomy')).toBe('taxonomy');
  });
});
