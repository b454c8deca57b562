import { describe, expect, test } from '@jest/globals';
import { checkValue } from '../testing/check-value.js';
import type { FieldDefinition } from './field-definition.js';
import { maxIndexedBytes } from './indexed-text.js';

const maxLengthText = 'a'.repeat(maxIndexedBytes);
const found = (parts: Partial<FieldDefinition>, value: unknown, mode: 'create' | 'publish' = 'create') =>
  checkValue(parts, value, { mode }).found;

describe.each(['string', 'slug', 'select', 'reference'] as const)(
  'a value of an indexed %s field',
  (type) => {
    test('is accepted up to the maximum size of its index in every write', () => {
      expect(found({ type, indexed: true }, maxLengthText)).toEqual([]);
      expect(found({ type, indexed: true }, `${maxLengthText}a`)).toEqual(['field max_length']);
      expect(found({ type, indexed: true }, `${maxLengthText}a`, 'publish')).toEqual(['field max_length']);
    });

    test('is measured as stored, in UTF-8', () => {
      expect(found({ type, indexed: true }, '語'.repeat(866))).toEqual([]);
      expect(found({ type, indexed: true }, '語'.repeat(867))).toEqual(['field max_length']);
    });

    test('may be longer without the index', () => {
      expect(found({ type }, `${maxLengthText}a`)).toEqual([]);
    });
  },
);

test('An indexed url is checked against both rules', () => {
  const url = `/${maxLengthText}`;
  expect(found({ type: 'url', indexed: true }, url)).toEqual(['field max_length']);
  expect(found({ type: 'url', indexed: true }, url.slice(0, maxIndexedBytes))).toEqual([]);
  expect(found({ type: 'url', indexed: true }, `javascript:${maxLengthText}`)).toEqual(['field url']);
});

test('Several references are measured as the whole stored list, including its brackets', () => {
  const field = { type: 'reference', indexed: true, options: { allowMultiple: true } } as const;
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `${index}`.padStart(26, '0'));
  expect(found(field, ids(89))).toEqual([]);
  expect(found(field, ids(90))).toEqual(['field max_length']);
});

test('Numbers and times have no such limit', () => {
  expect(found({ type: 'integer', indexed: true }, 1)).toEqual([]);
  expect(found({ type: 'datetime', indexed: true }, '2025-01-24T12:00:00Z')).toEqual([]);
});
