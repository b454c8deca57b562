import { describe, expect, it } from '@jest/globals';
import { jsonFault, type FieldType } from '@quire/content-model';
import { metaByKey, metaFieldValue } from './field-values.js';

const unfit = { unfit: true };
const fieldTypes: FieldType[] = ['string', 'number', 'boolean', 'datetime', 'json', 'image'];

describe('metaFieldValue', () => {
  it.each(fieldTypes)('gives null for no value of type %s', (type) => {
    expect(metaFieldValue([], type)).toEqual({ value: null });
    expect(metaFieldValue(['', ' '], type)).toEqual({ value: null });
  });

  it.each<[FieldType, string, unknown]>([
    ['string', ' 19,90 € ', ' 19,90 € '],
    ['string', 's:3:"abc";', 'abc'],
    ['string', 'a:1:{i:0;i:4;}', 'a:1:{i:0;i:4;}'],
    ['text', 'two\nlines', 'two\nlines'],
    ['select', ' red ', 'red'],
    ['number', '19.90', 19.9],
    ['number', ' 0 ', 0],
    ['number', 'i:7;', 7],
    ['integer', '-5', -5],
    ['boolean', '1', true],
    ['boolean', 'FALSE', false],
    ['datetime', '2024-02-29 10:00:00', '2024-02-29T10:00:00.000Z'],
    ['datetime', '2024-02-29T10:00:00+02:00', '2024-02-29T08:00:00.000Z'],
    ['datetime', '2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['datetime', '20240229', '2024-02-29T00:00:00.000Z'],
    ['url', 'https://a.example/', 'https://a.example/'],
    ['json', 'a:1:{s:1:"a";i:4;}', { a: 4 }],
    ['json', '{"a":[1,2]}', { a: [1, 2] }],
    ['json', 'text', 'text'],
    ['multiSelect', 'a:2:{i:0;s:1:"a";i:1;s:1:"b";}', ['a', 'b']],
    ['multiSelect', 'a', ['a']],
  ])('reads for a field of type %s %j as %j', (type, raw, value) => {
    expect(metaFieldValue([raw], type)).toEqual({ value });
  });

  it.each<[FieldType, string]>([
    ['number', '19,90 EUR'],
    ['number', '12px'],
    ['number', '0x10'],
    ['number', 'Infinity'],
    ['number', '1e999'],
    ['integer', '1.5'],
    ['boolean', '2'],
    ['boolean', 'maybe'],
    ['datetime', '2024-02-30'],
    ['datetime', '0000-00-00 00:00:00'],
    ['datetime', 'soon'],
    ['url', 'javascript:alert(1)'],
    ['url', '//evil.example'],
    ['multiSelect', 'a:1:{i:0;i:4;}'],
    ['image', '12'],
    ['reference', '12'],
  ])('does not fit a field of type %s to %j', (type, raw) => {
    expect(metaFieldValue([raw], type)).toEqual(unfit);
  });

  it('makes a list of repeated values, if the field can hold one', () => {
    expect(metaFieldValue(['first', '', 'second'], 'json')).toEqual({ value: ['first', 'second'] });
    expect(metaFieldValue(['a', 'b'], 'multiSelect')).toEqual({ value: ['a', 'b'] });
    expect(metaFieldValue(['same', 'same'], 'string')).toEqual({ value: 'same' });
    expect(metaFieldValue(['a', 'b'], 'string')).toEqual(unfit);
  });

  it.each(['{"__proto__":{"a":1}}', '{"a":"\\u0000"}', '["\\ud800"]', '['.repeat(70) + ']'.repeat(70)])(
    'keeps JSON that cannot be stored as text: %s',
    (text) => {
      expect(metaFieldValue([text], 'json')).toEqual({ value: text });
    },
  );

  it('gives values that a field of type json accepts', () => {
    const deep = `${'['.repeat(62)}1${']'.repeat(62)}`;
    for (const raw of [[deep], [deep, deep]]) {
      expect(jsonFault((metaFieldValue(raw, 'json') as { value: unknown }).value)).toBeNull();
    }
  });
});

describe('metaByKey', () => {
  it('groups the values of a key in order, without the empty key', () => {
    const meta = [
      { key: 'a', value: '1' },
      { key: '', value: 'x' },
      { key: 'b', value: '2' },
      { key: 'a', value: '3' },
    ];
    expect([...metaByKey(meta)]).toEqual([
      ['a', ['1', '3']],
      ['b', ['2']],
    ]);
  });
});
