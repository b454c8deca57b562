import { describe, expect, test } from '@jest/globals';
import { checkValue } from '../testing/check-value.js';
import type { FieldDefinition } from './field-definition.js';

type Rules = FieldDefinition['validation'];
type Parts = Partial<FieldDefinition>;

/** Time of this process, which the load of the machine does not change. */
const maxMicroseconds = 2_000_000;

const accepts = (parts: Parts, sent: unknown, value = sent): void => {
  expect(checkValue(parts, sent)).toMatchObject({ value, found: [] });
};
const refuses = (parts: Parts, value: unknown, code: string): void => {
  expect(checkValue(parts, value).found).toEqual([`field ${code}`]);
};

describe.each(['string', 'text', 'slug'] as const)('%s value', (type) => {
  test.each<[Rules, unknown]>([
    [null, 'any text'],
    [null, ''],
    [null, 'two\nlines\t \r\n'],
    [null, ' A Title_Not/Cleaned '],
    [null, '{"a":1}'],
    [null, '😀'],
    [{ minLength: 2 }, 'ab'],
    [{ maxLength: 2 }, 'ab'],
    [{ maxLength: 2 }, '😀'],
    [{ pattern: 'b' }, 'abc'],
    [{ pattern: '^\\d{3}$' }, '123'],
    [{ pattern: '^[\\u00e0-\\u00ff]+$' }, 'éé'],
  ])('with the rules %j accepts %j unchanged', (validation, value) => accepts({ type, validation }, value));

  test.each<[Rules, unknown, string]>([
    [null, 5, 'type'],
    [null, true, 'type'],
    [null, ['a'], 'type'],
    [null, {}, 'type'],
    [null, 'a\u0000b', 'characters'],
    [null, 'a\ud800', 'characters'],
    [null, '\udc00a', 'characters'],
    [{ minLength: 2 }, 'a', 'min_length'],
    [{ minLength: 2 }, '', 'min_length'],
    [{ maxLength: 2 }, 'abc', 'max_length'],
    [{ maxLength: 1 }, '😀', 'max_length'],
    [{ pattern: '^b' }, 'ab', 'pattern'],
    [{ pattern: 'B' }, 'abc', 'pattern'],
    [{ pattern: '^a$' }, 'a\nb', 'pattern'],
  ])('with the rules %j rejects %j: %s', (validation, value, code) =>
    refuses({ type, validation }, value, code),
  );

  test('is matched in linear time', () => {
    const started = process.cpuUsage();
    refuses({ type, validation: { pattern: '^(a+)+$' } }, `${'a'.repeat(50_000)}b`, 'pattern');
    expect(process.cpuUsage(started).user).toBeLessThan(maxMicroseconds);
  });
});

describe('url value', () => {
  test.each(['https://a.example/x', 'mailto:a@b.example', '/about', '#top'])('accepts %s', (value) =>
    accepts({ type: 'url' }, value),
  );

  test.each(['www.example.com', 'javascript:alert(1)', '//evil.example', ''])('rejects %j', (value) =>
    refuses({ type: 'url' }, value, 'url'),
  );

  test('rejects other types than strings', () => refuses({ type: 'url' }, 5, 'type'));

  test('is missing when it is required and empty', () =>
    refuses({ type: 'url', required: true }, '', 'required'));

  test('of a seed may have no scheme, but no unsafe one', () => {
    expect(checkValue({ type: 'url' }, 'www.example.com', { origin: 'seed' })).toMatchObject({
      value: 'www.example.com',
      found: [],
    });
    expect(checkValue({ type: 'url' }, 'javascript:x', { origin: 'seed' }).found).toEqual(['field url']);
  });
});

describe('number value', () => {
  test.each<[Rules, number]>([
    [null, 0],
    [null, -1.5],
    [null, 1e308],
    [{ min: 1, max: 2 }, 1],
    [{ min: 1, max: 2 }, 2],
  ])('with the rules %j accepts %d', (validation, value) => accepts({ type: 'number', validation }, value));

  test.each<[Rules, unknown, string]>([
    [null, '5', 'type'],
    [null, true, 'type'],
    [null, JSON.parse('1e999'), 'type'],
    [null, Number.NaN, 'type'],
    [{ min: 1 }, 0.99, 'min'],
    [{ max: 1 }, 1.01, 'max'],
  ])('with the rules %j rejects %j: %s', (validation, value, code) =>
    refuses({ type: 'number', validation }, value, code),
  );
});

describe('integer value', () => {
  test.each<[Rules, unknown]>([
    [null, JSON.parse('5.0')],
    [null, 2 ** 53 - 1],
    [null, -(2 ** 53 - 1)],
    [{ min: -1, max: 1 }, -1],
    [{ min: -1, max: 1 }, 1],
  ])('with the rules %j accepts %d', (validation, value) => accepts({ type: 'integer', validation }, value));

  test.each<[Rules, unknown, string]>([
    [null, 5.5, 'type'],
    [null, '5', 'type'],
    [null, 2 ** 53, 'type'],
    [null, -(2 ** 53), 'type'],
    [null, JSON.parse('1e999'), 'type'],
    [{ min: 1 }, 0, 'min'],
    [{ max: 1 }, 2, 'max'],
  ])('with the rules %j rejects %j: %s', (validation, value, code) =>
    refuses({ type: 'integer', validation }, value, code),
  );
});

describe('boolean value', () => {
  test.each([true, false])('accepts %s', (value) => accepts({ type: 'boolean' }, value));

  test.each([
    [0, false],
    [1, true],
  ])('converts %j to %j', (value, stored) => accepts({ type: 'boolean' }, value, stored));

  test.each([2, -1, 0.5, '0', '1', 'true', ''])('rejects %j', (value) =>
    refuses({ type: 'boolean' }, value, 'type'),
  );
});

describe('datetime value', () => {
  test('is converted to UTC with three-digit milliseconds', () => {
    const sent = '2025-01-24T13:00:00+01:00';
    expect(checkValue({ type: 'datetime' }, sent)).toMatchObject({
      value: '2025-01-24T12:00:00.000Z',
      found: [],
    });
  });

  test.each(['2025-01-24', '2025-01-24T12:00:00', '', 1737720000, {}])('rejects %j', (value) =>
    refuses({ type: 'datetime' }, value, 'datetime'),
  );

  test('of a seed is read as UTC without a zone', () => {
    expect(checkValue({ type: 'datetime' }, '2025-01-24T12:00:00', { origin: 'seed' }).value).toBe(
      '2025-01-24T12:00:00.000Z',
    );
  });
});

describe('select value', () => {
  const options = ['red', 'Blue'];

  test.each<[Rules, string]>([
    [{ options }, 'red'],
    [{ options: [] }, 'anything'],
    [null, 'anything'],
  ])('with the rules %j accepts %s', (validation, value) => accepts({ type: 'select', validation }, value));

  test.each<[Rules, unknown, string]>([
    [{ options }, 'Red', 'option'],
    [{ options }, '', 'option'],
    [{ options }, 'constructor', 'option'],
    [{ options }, ['red'], 'type'],
    [null, 5, 'type'],
  ])('with the rules %j rejects %j: %s', (validation, value, code) =>
    refuses({ type: 'select', validation }, value, code),
  );
});

describe('multiSelect value', () => {
  const validation = { options: ['a', 'b'] };

  test.each<[Parts, unknown[]]>([
    [{ validation }, ['b', 'a']],
    [{ validation }, []],
    [{ required: true, validation }, ['a']],
    [{}, ['anything']],
  ])('of %j accepts %j, and keeps its order', (parts, value) =>
    accepts({ type: 'multiSelect', ...parts }, value),
  );

  test.each<[Parts, unknown, string[]]>([
    [{ validation }, 'a', ['field type']],
    [{ validation }, ['a', 'c', 5], ['field.1 option', 'field.2 type']],
    [{ required: true }, [], ['field required']],
    [{}, ['\u0000'], ['field.0 characters']],
  ])('of %j rejects %j', (parts, value, found) => {
    expect(checkValue({ type: 'multiSelect', ...parts }, value).found).toEqual(found);
  });
});
