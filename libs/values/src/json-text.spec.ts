import { describe, expect, it } from '@jest/globals';
import { JsonText, stringifyJson } from './json-text.js';

const exact = '{ "10": 12345678901234567890, "9": 1.0, "a": [1e2] }';

describe('stringifyJson', () => {
  it('returns the same as JSON.stringify for a value without texts', () => {
    for (const value of [null, 1, 'a', [], { b: 1, a: { c: undefined, d: [null, 'é"'] } }])
      expect(stringifyJson(value)).toBe(JSON.stringify(value));
  });

  it('writes texts unchanged, at any place', () => {
    const text = new JsonText(exact);
    expect(stringifyJson(text)).toBe(exact);
    expect(stringifyJson([1, text, { a: text, b: new JsonText('"$&"') }])).toBe(
      `[1,${exact},{"a":${exact},"b":"$&"}]`,
    );
  });

  it('does not replace a text that looks like a placeholder', () => {
    const looksLike = '"00000000-0000-4000-8000-000000000000"';
    expect(stringifyJson({ a: JSON.parse(looksLike) as string, b: new JsonText('1') })).toBe(
      `{"a":${looksLike},"b":1}`,
    );
  });

  it('writes texts after a call that threw', () => {
    expect(() => stringifyJson([new JsonText('1'), 1n])).toThrow(TypeError);
    expect(JSON.stringify(new JsonText('[1]'))).toBe('[1]');
    expect(stringifyJson(new JsonText('[1 ]'))).toBe('[1 ]');
  });
});

describe('JSON.stringify', () => {
  it('writes the parsed value of a text', () => {
    expect(JSON.stringify({ a: new JsonText('{"b": 1.0}') })).toBe('{"a":{"b":1}}');
  });
});
