import { describe, expect, test } from '@jest/globals';
import type { FieldDefinition } from '../fields/field-definition.js';
import { fieldTypes } from '../fields/field-types.js';
import { buildField } from '../testing/build-field.js';
import { checkFieldChange, type FieldChange } from './check-field-change.js';

type Parts = Partial<FieldDefinition>;

const change = (before: Parts, after: Parts, hasRows = true): FieldChange =>
  checkFieldChange(buildField(before), buildField(after), { hasRows });
const codes = ({ problems }: FieldChange): string[] => problems.map(({ code, path }) => `${code} ${path}`);

describe('checkFieldChange of the type', () => {
  const plain = ['string', 'text', 'slug'] as const;
  const plainPairs = plain.flatMap((before) => plain.map((after) => [before, after] as const));

  test.each(plainPairs)('allows %s to become %s in place', (before, after) => {
    expect(change({ type: before }, { type: after })).toEqual({ problems: [], dataChecks: [] });
  });

  test.each(fieldTypes)('allows %s to remain', (type) => {
    expect(change({ type }, { type })).toEqual({ problems: [], dataChecks: [] });
  });

  test.each([
    ['string', 'url'],
    ['url', 'string'],
    ['string', 'select'],
    ['text', 'datetime'],
    ['image', 'file'],
    ['boolean', 'integer'],
    ['json', 'portableText'],
    ['reference', 'string'],
  ] as const)('rejects a change from %s to %s: same column, another meaning', (before, after) => {
    expect(codes(change({ type: before }, { type: after }, false))).toEqual([
      'FIELD_TYPE_CHANGE_REQUIRES_MIGRATION type',
    ]);
  });

  test.each([
    ['string', 'integer'],
    ['number', 'integer'],
    ['integer', 'number'],
    ['text', 'portableText'],
    ['json', 'string'],
  ] as const)('rejects a change from %s to %s: another column', (before, after) => {
    expect(codes(change({ type: before }, { type: after }, false))).toEqual([
      'FIELD_TYPE_COLUMN_CHANGE type',
    ]);
  });

  test('rejects a change from a relation-bound reference, which has no column', () => {
    const bound: Parts = { type: 'reference', validation: { relation: 'r' } };
    expect(codes(change(bound, { type: 'string' }))).toEqual(['FIELD_TYPE_COLUMN_CHANGE type']);
  });
});

describe('checkFieldChange of a stricter field', () => {
  test.each<[string, Parts, Parts]>([
    ['required', { required: false }, { required: true }],
    ['required', {}, { validation: { required: true } }],
    ['unique', { unique: false }, { unique: true }],
    ['translatable', { translatable: true }, { translatable: false }],
    ['indexed', { type: 'text' }, { type: 'string', indexed: true }],
  ])('requires the data check %s', (check, before, after) => {
    expect(change(before, after)).toEqual({ problems: [], dataChecks: [check] });
  });

  test('requires every check that became stricter', () => {
    const stricter = { required: true, unique: true, translatable: false, indexed: true };
    expect(change({}, stricter).dataChecks).toEqual(['required', 'unique', 'translatable', 'indexed']);
  });

  test('requires no check while the collection is empty', () => {
    expect(change({}, { required: true, unique: true, translatable: false }, false)).toEqual({
      problems: [],
      dataChecks: [],
    });
  });
});

describe('checkFieldChange of a looser field', () => {
  test.each<[Parts, Parts]>([
    [{ required: true }, { required: false }],
    [{ unique: true }, { unique: false }],
    [{ translatable: false }, { translatable: true }],
    [{ required: true }, { required: true }],
    [{ indexed: true }, { indexed: false }],
    [{ indexed: true }, { indexed: true }],
    [
      { type: 'integer', indexed: false },
      { type: 'integer', indexed: true },
    ],
  ])('allows %j to become %j', (before, after) => {
    expect(change(before, after)).toEqual({ problems: [], dataChecks: [] });
  });
});

describe('checkFieldChange of an existing field', () => {
  const bound: Parts = {
    type: 'reference',
    validation: { relation: 'r', relationSide: 'child', targetCollection: 'a' },
  };

  test('rejects another slug', () => {
    expect(codes(change({ slug: 'a' }, { slug: 'b' }))).toEqual(['VALIDATION_ERROR slug']);
  });

  test.each<[string, FieldDefinition['validation'], string[]]>([
    ['target', { relation: 'r', relationSide: 'child', targetCollection: 'b' }, ['targetCollection']],
    ['relation', { relation: 's', relationSide: 'child', targetCollection: 'a' }, ['relation']],
    ['side', { relation: 'r', relationSide: 'parent', targetCollection: 'a' }, ['relationSide']],
    ['binding', null, ['relation', 'relationSide', 'targetCollection']],
  ])('rejects another %s of a field bound to a relation', (_, validation, rules) => {
    expect(codes(change(bound, { type: 'reference', validation }))).toEqual(
      rules.map((rule) => `VALIDATION_ERROR validation.${rule}`),
    );
  });

  test('allows binding unbound references to a relation', () => {
    const unbound: Parts = { type: 'reference', options: { allowMultiple: true } };
    expect(codes(change(unbound, { type: 'reference', validation: { targetCollection: 'a' } }))).toEqual([]);
  });

  test('rejects a single reference instead of several while there are entries', () => {
    const many: Parts = { type: 'reference', options: { allowMultiple: true } };
    expect(codes(change(many, { type: 'reference' }))).toEqual([
      'FIELD_UPDATE_REQUIRES_MIGRATION options.allowMultiple',
    ]);
    expect(codes(change({ type: 'reference' }, many))).toEqual([]);
    expect(codes(change(many, { type: 'reference' }, false))).toEqual([]);
  });

  test.each([
    [undefined, 1, true, ['FIELD_UPDATE_REQUIRES_MIGRATION validation.minItems']],
    [1, 2, true, ['FIELD_UPDATE_REQUIRES_MIGRATION validation.minItems']],
    [0, 1, false, []],
    [2, 1, true, []],
    [1, undefined, true, []],
  ])(
    'of blocks with minItems %j and then %j, with entries %j, has the problems %j',
    (before, after, hasRows, problems) => {
      const blocks = (minItems?: number): Parts => ({ type: 'blocks', validation: { minItems } });
      expect(codes(change(blocks(before), blocks(after), hasRows))).toEqual(problems);
    },
  );
});
