import { describe, expect, test } from '@jest/globals';
import { invalidInput } from '@quire/errors';
import type { WriteMode } from '../fields/validation-context.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { validationMessages } from '../fields/issues.js';
import { buildField } from '../testing/build-field.js';
import { checkValue } from '../testing/check-value.js';
import { compileFields } from './compile-fields.js';
import { validateValues, type ValidatedValues } from './validate-values.js';

const modes: readonly WriteMode[] = ['create', 'update', 'publish'];
/** Time of this process, which the load of the machine does not change. */
const maxMicroseconds = 2_000_000;

function validate(
  fields: Partial<FieldDefinition>[],
  data: unknown,
  mode: WriteMode = 'create',
): ValidatedValues {
  return validateValues(compileFields(fields.map(buildField), 'posts'), data, mode);
}
const found = ({ issues }: ValidatedValues): string[] => issues.map(({ path, code }) => `${path} ${code}`);

const title: Partial<FieldDefinition> = { slug: 'title', required: true };
const count: Partial<FieldDefinition> = { slug: 'count', type: 'integer' };

describe('required field', () => {
  test.each<[unknown, string[]]>([
    [{}, ['title required']],
    [{ title: undefined }, ['title required']],
    [{ title: null }, ['title required']],
    [{ title: '' }, ['title required']],
    [{ title: ' ' }, []],
  ])('on create and publish with %j has the issues %j', (data, issues) => {
    expect(found(validate([title], data, 'create'))).toEqual(issues);
    expect(found(validate([title], data, 'publish'))).toEqual(issues);
  });

  test('may be absent from an update, but not cleared by it', () => {
    expect(found(validate([title], {}, 'update'))).toEqual([]);
    expect(found(validate([title], { title: null }, 'update'))).toEqual(['title required']);
    expect(found(validate([title], { title: '' }, 'update'))).toEqual(['title required']);
  });

  test('may be declared in its rules', () => {
    expect(found(validate([{ slug: 'title', validation: { required: true } }], {}))).toEqual([
      'title required',
    ]);
  });

  test('is present when it is 0 or false', () => {
    const fields: Partial<FieldDefinition>[] = [
      { ...count, required: true },
      { slug: 'on', type: 'boolean', required: true },
    ];
    expect(found(validate(fields, { count: 0, on: false }))).toEqual([]);
  });
});

describe('optional field', () => {
  test.each(modes)('may be absent, and null clears it, on %s', (mode) => {
    expect(validate([count], {}, mode)).toMatchObject({ values: {}, issues: [] });
    expect(validate([count], { count: null }, mode).values).toEqual({ count: null });
  });
});

describe('default value', () => {
  const fields: Partial<FieldDefinition>[] = [{ ...title, defaultValue: 'Untitled' }];

  test('replaces an absent key on create only', () => {
    expect(validate(fields, {}, 'create').values).toEqual({ title: 'Untitled' });
    expect(validate(fields, {}, 'update').values).toEqual({});
    expect(found(validate(fields, {}, 'publish'))).toEqual(['title required']);
  });

  test('does not replace null', () => {
    expect(validate([{ ...count, defaultValue: 5 }], { count: null }).values).toEqual({ count: null });
  });

  test('is normalised and not shared between entries', () => {
    const compiled = compileFields(
      [
        buildField({ slug: 'at', type: 'datetime', defaultValue: '2025-01-24T13:00+01:00' }),
        buildField({ slug: 'cases', type: 'multiSelect', defaultValue: ['a'] }),
      ],
      'posts',
    );
    const first = validateValues(compiled, {}, 'create').values;
    (first['cases'] as string[]).push('b');
    expect(validateValues(compiled, {}, 'create').values).toEqual({
      at: '2025-01-24T12:00:00.000Z',
      cases: ['a'],
    });
  });
});

describe('keys of data', () => {
  test.each(['create', 'update'] as const)('that are unknown are issues on %s', (mode) => {
    const { issues } = validate([count], { count: 1, colour: 'red', locale: 'en' }, mode);
    expect(issues).toEqual([
      { path: 'colour', code: 'unknown_field', message: "is not a field of 'posts'" },
      { path: 'locale', code: 'unknown_field', message: "is not a field of 'posts'" },
    ]);
  });

  test('that start with _ are ignored', () => {
    expect(validate([count], { _slug: 'x', _importError: {}, count: 1 })).toMatchObject({
      values: { count: 1 },
      issues: [],
    });
  });

  test('of deleted fields are dropped from a stored draft on publish', () => {
    expect(validate([count], { count: 1, gone: 2 }, 'publish')).toMatchObject({
      values: { count: 1 },
      issues: [],
    });
    expect(validate([count], { gone: 2 }, 'publish').values).toEqual({});
  });

  test.each(modes)('never reach a prototype on %s', (mode) => {
    const data = JSON.parse('{"__proto__":{"polluted":1},"constructor":"c"}') as unknown;
    const { values, issues } = validate([{ slug: 'constructor' }], data, mode);
    expect(issues).toEqual([]);
    expect(Object.entries(values)).toEqual([['constructor', 'c']]);
    expect('polluted' in values).toBe(false);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('that are absent are not read from a prototype of the values', () => {
    expect('constructor' in validate([{ slug: 'constructor' }], {}).values).toBe(false);
  });

  test('named like an object property are unknown', () => {
    expect(found(validate([count], { constructor: 1, hasOwnProperty: 1 }))).toEqual([
      'constructor unknown_field',
      'hasOwnProperty unknown_field',
    ]);
    expect(found(validate([{ slug: 'constructor', required: true }], {}))).toEqual(['constructor required']);
  });

  test.each([null, undefined, 5, 'text', [], [{ title: 'a' }]])('of %j: only an object is valid', (data) => {
    expect(validate([count], data).issues).toEqual([
      { path: '', code: 'type', message: 'must be an object' },
    ]);
  });
});

describe('relation-bound reference', () => {
  const fields: Partial<FieldDefinition>[] = [
    { slug: 'author', type: 'reference', required: true, validation: { relation: 'posts_author' } },
  ];

  test.each(['create', 'update'] as const)('is invalid inside data on %s', (mode) => {
    const { issues } = validate(fields, { author: '01H' }, mode);
    expect(issues).toMatchObject([{ path: 'author', code: 'unknown_field' }]);
    expect(issues[0]?.message).toMatch(/references/);
  });

  test('is not required in data', () => {
    expect(found(validate(fields, {}))).toEqual([]);
  });

  test('left in a draft from before the binding does not prevent publishing', () => {
    expect(validate(fields, { author: '01H' }, 'publish')).toMatchObject({ values: {}, issues: [] });
  });
});

describe('issues', () => {
  test('are reported together, in one message', () => {
    const links: Partial<FieldDefinition> = {
      slug: 'links',
      type: 'repeater',
      validation: { subFields: [{ slug: 'url', label: 'URL', type: 'url' }] },
    };
    const { issues } = validate([title, count, links], {
      count: '5',
      nope: 1,
      links: [{ url: '/' }, { url: 'x' }],
    });
    expect(invalidInput(issues).message).toBe(
      "count: must be a whole number; nope: is not a field of 'posts'; " +
        'links.1.url: must be an http(s), mailto or tel link, a path or a fragment; title: is required',
    );
  });

  test('of the whole have no path', () => {
    expect(invalidInput(validate([], 5).issues).message).toBe('must be an object');
  });

  test('of a body with many unknown keys are limited in number', () => {
    const data = Object.fromEntries(
      Array.from({ length: 2000 }, (_, index) => [`k${index}${'x'.repeat(500)}`, 1]),
    );
    const { issues } = validate([], data);
    expect(issues).toHaveLength(500);
    expect(issues[0]?.path).toHaveLength(300);
  });
});

describe('message of an issue', () => {
  test.each<[Partial<FieldDefinition>, unknown, string]>([
    [{ type: 'string' }, 1, 'must be a string'],
    [{ type: 'number' }, '1', 'must be a number'],
    [{ type: 'integer' }, 1.5, 'must be a whole number'],
    [{ type: 'boolean' }, 'true', 'must be a boolean'],
    [{ type: 'multiSelect' }, 'a', 'must be a list'],
    [{ type: 'file' }, 'a', 'must be an object'],
    [{ required: true }, null, 'is required'],
    [{ validation: { minLength: 3 } }, 'a', 'must have at least 3 characters'],
    [{ validation: { maxLength: 3 } }, 'abcd', 'must have at most 3 characters'],
    [{ validation: { pattern: 'x' } }, 'a', 'does not match the pattern'],
    [{ type: 'number', validation: { min: 3 } }, 1, 'must be at least 3'],
    [{ type: 'number', validation: { max: 3 } }, 4, 'must be at most 3'],
    [{ type: 'select', validation: { options: ['a', 'b'] } }, 'c', 'must be one of: a, b'],
    [{ type: 'url' }, 'x', 'must be an http(s), mailto or tel link, a path or a fragment'],
    [{ type: 'datetime' }, 'x', 'must be an ISO 8601 time with Z or an offset'],
    [{ type: 'repeater', validation: { subFields: [], minItems: 2 } }, [], 'must have at least 2 entries'],
    [
      { type: 'repeater', validation: { subFields: [], maxItems: 1 } },
      [{}, {}],
      'must have at most 1 entries',
    ],
  ])('of %j for %j is "%s"', (parts, value, message) => {
    expect(checkValue(parts, value).issues.map((issue) => issue.message)).toEqual([message]);
  });

  test('of a reference target names the id and the collection', () => {
    expect(validationMessages.target('01H', 'authors')).toEqual({
      code: 'target',
      message: "'01H' not found in 'authors'",
    });
  });
});

describe('submitted data', () => {
  test('is not changed by the validation', () => {
    const data = Object.freeze({
      photo: Object.freeze({ id: '1', src: 'x', extra: 1 }),
      body: Object.freeze([Object.freeze({ _type: 'block' })]),
    });
    const before = JSON.stringify(data);
    validate(
      [
        { slug: 'photo', type: 'image' },
        { slug: 'body', type: 'portableText' },
      ],
      data,
    );
    expect(JSON.stringify(data)).toBe(before);
  });
});

describe('compileFields', () => {
  test('compiles a pattern once, so that validating many values is fast', () => {
    const compiled = compileFields(
      [buildField({ slug: 'code', validation: { pattern: '^[a-z]{1,50}-\\d+$' } })],
      'posts',
    );
    const started = process.cpuUsage();
    for (let index = 0; index < 20_000; index += 1)
      validateValues(compiled, { code: `abc-${index}` }, 'create');
    expect(process.cpuUsage(started).user).toBeLessThan(maxMicroseconds);
  });

  test('throws for a pattern that was never checked', () => {
    expect(() => compileFields([buildField({ validation: { pattern: '(' } })], 'posts')).toThrow();
  });
});
