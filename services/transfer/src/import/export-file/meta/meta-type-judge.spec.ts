import { describe, expect, it } from '@jest/globals';
import { fieldTypeOf, MetaTypeJudge, type SuggestedType } from './meta-type-judge.js';

function judged(key: string, ...items: string[][]) {
  const judge = new MetaTypeJudge(key);
  for (const values of items) judge.add(values);
  return judge.result();
}
const typeOf = (key: string, ...values: string[]): SuggestedType =>
  judged(key, ...values.map((value) => [value])).suggestedType;

describe('MetaTypeJudge', () => {
  it.each<[SuggestedType, string, string[]]>([
    ['number', 'price', ['19.90', '5', '-.5', '1e3', '']],
    ['string', 'price', ['19.90', '19,90 EUR']],
    ['string', 'phone', ['030', '12']],
    ['string', 'number', ['12345678901234567890']],
    ['boolean', 'flag', ['0', '1', '']],
    ['boolean', 'flag', ['1']],
    ['boolean', 'flag', ['true', '0']],
    ['boolean', 'flag', ['false']],
    ['number', 'total_sales', ['0', '0']],
    ['number', 'votes', ['0', '1', '2']],
    ['number', 'view_count', ['0', '1']],
    ['string', 'partner_id', ['1', '2']],
    ['date', 'starts_at', ['2024-02-29', '2024-02-29 10:00:00', '2024-02-29T10:00:00+02:00']],
    ['date', 'start_date', ['20240229']],
    ['number', 'code', ['20240229']],
    ['string', 'start_date', ['2024-02-29', 'soon']],
    ['json', 'packed', ['a:1:{i:0;i:4;}', '{"a":1}', 'text']],
    ['string', 'packed', ['{broken']],
    ['string', 'empty', ['', ' ']],
    ['string', 'text', ['s:3:"abc";']],
  ])('suggests %s for %s with %j', (type, key, values) => {
    expect(typeOf(key, ...values)).toBe(type);
  });

  it('suggests json for a key that an item repeats', () => {
    expect(judged('repeat', ['1', '2']).suggestedType).toBe('json');
    expect(judged('repeat', ['1', ''], ['2']).suggestedType).toBe('number');
  });

  it('counts occurrences and keeps three short samples', () => {
    const long = `${'a'.repeat(99)}😀${'b'.repeat(50)}`;
    expect(judged('_My-Key', ['', long], ['two'], ['three'], ['four'])).toEqual({
      key: '_My-Key',
      count: 5,
      samples: [`${'a'.repeat(99)}😀`, 'two', 'three'],
      suggestedField: 'my_key',
      suggestedType: 'string',
      isInternal: true,
    });
  });
});

describe('fieldTypeOf', () => {
  it('maps every suggested type', () => {
    const types: SuggestedType[] = ['string', 'number', 'boolean', 'date', 'json'];
    expect(types.map(fieldTypeOf)).toEqual(['string', 'number', 'boolean', 'datetime', 'json']);
  });
});
