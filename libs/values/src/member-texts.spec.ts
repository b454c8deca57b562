import { describe, expect, it } from '@jest/globals';
import { memberTexts } from './member-texts.js';

const textsOf = (text: string) => Object.fromEntries(memberTexts(text, 'data'));

describe('memberTexts', () => {
  it.each([
    ['a number', '12345678901234567890'],
    ['a number with an exponent', '-1.0E+2'],
    ['a text', '"a\\u00e9\\" } ] , \\\\"'],
    ['null', 'null'],
    ['an empty object', '{}'],
    ['nested lists', '[[ ],{"data":{"a":1}}, "x" ]'],
    ['an object whose keys look like indexes', '{ "10": 1,\n "9": {"b" : 2} }'],
  ])('returns %s as written', (_name, value) => {
    expect(textsOf(`{"data":{"a": ${value} ,"b":0},"slug":"x"}`)).toEqual({ a: value, b: '0' });
  });

  it('reads only the named member', () => {
    expect(textsOf('{"x":{"a":1},"data":{"a":2},"y":{"a":3,"data":{"a":4}},"z":[{"a":5}]}')).toEqual({
      a: '2',
    });
    expect(textsOf('{"x":{"a":1}}')).toEqual({});
    expect(textsOf('{"data":[{"a":1}]}')).toEqual({});
    expect(textsOf('{"data":5}')).toEqual({});
  });

  it('returns the last of repeated names', () => {
    expect(textsOf('{"data":{"a":1,"a":[2]}}')).toEqual({ a: '[2]' });
    expect(textsOf('{"data":{"a":1},"data":{"b":2}}')).toEqual({ b: '2' });
  });

  it('compares names by their value, with any escapes', () => {
    expect(textsOf('{"d\\u0061ta":{"\\u0061":1}}')).toEqual({ a: '1' });
  });

  it('returns names of object properties like any other', () => {
    const texts = memberTexts('{"data":{"constructor":1,"__proto__":{"polluted":true}}}', 'data');
    expect([...texts]).toEqual([
      ['constructor', '1'],
      ['__proto__', '{"polluted":true}'],
    ]);
    expect({}).not.toHaveProperty('polluted');
  });
});
