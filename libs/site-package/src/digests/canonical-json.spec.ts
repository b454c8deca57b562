import { describe, expect, it } from '@jest/globals';
import canonicalize from 'canonicalize';
import { canonicalJson } from './canonical-json.js';

const parse = (text: string) => JSON.parse(text) as Record<string, unknown>;

describe('canonicalJson', () => {
  it.each([
    ['properties in another order, at every depth', '{"b":{"z":[{"y":1,"x":2}],"a":null},"a":true}'],
    ['names that differ in case and length', '{"a":1,"B":2,"aa":3,"A":4,"":5}'],
    ['names beyond ASCII', String.raw`{"\u20ac":1,"\r":2,"\ufb33":3,"\ud83d\ude00":4,"\u0080":5,"ö":6}`],
    ['names that are indexes of arrays', '{"b":{"10":1,"9":2,"1a":3,"-1":4},"a":0}'],
    ['names of properties that objects have', '{"toString":1,"constructor":{"__proto__":{"b":1,"a":2}}}'],
    ['numbers in several forms', '{"n":[1.0,1e21,1e-7,0.1,-0,333333333.33333329,5e-324,1e20]}'],
    ['escapes', String.raw`{"t":"\u20ac$\u000f\nA'\"\\\/\u007f\u2028\\ud800"}`],
  ])('writes as the library does: %s', (_, text) => {
    expect(canonicalJson(parse(text))).toBe(canonicalize(parse(text)));
  });

  it('leaves out properties of the record, not those inside', () => {
    expect(canonicalJson(parse('{"b":{"user":1},"user":2,"a":3}'), ['user'])).toBe('{"a":3,"b":{"user":1}}');
    expect(canonicalJson(parse('{"b":{"1":1},"user":2}'), ['user'])).toBe('{"b":{"1":1}}');
  });

  it.each(['{"n":[1e999]}', String.raw`{"t":"\ud800"}`, String.raw`{"\udc00":1}`])(
    'rejects what canonical JSON cannot have: %s',
    (text) => expect(() => canonicalJson(parse(text))).toThrow('is not allowed'),
  );
});
