import { describe, expect, it } from '@jest/globals';
import { indexFormat } from '@quire/search-engine';
import { isSameSpec, desiredSpec } from './index-spec.js';

const fields = { titleField: 'title', fields: ['title', 'body'], fingerprint: 'one' };
const spec = (weights: Record<string, number>) => desiredSpec({ tokenizer: 'unicode61', weights }, fields);

describe('desiredSpec', () => {
  it('uses the weight of the title field for the title', () => {
    expect(spec({ title: 5, body: 2 })).toEqual({
      tokenizer: 'unicode61',
      weights: { body: 2 },
      titleWeight: 5,
      format: indexFormat,
      fingerprint: 'one',
    });
  });

  it('omits weights of fields that are not searchable, and gives such a title the weight 0', () => {
    const bare = { ...fields, fields: ['body'] };
    expect(desiredSpec({ tokenizer: 'trigram', weights: { title: 5, gone: 2 } }, bare)).toMatchObject({
      weights: {},
      titleWeight: 0,
    });
  });

  it('accepts field slugs that are properties of Object.prototype', () => {
    const odd = { ...fields, fields: ['constructor'] };
    expect(desiredSpec({ tokenizer: 'trigram', weights: {} }, odd).weights).toEqual({});
  });

  it('does not depend on the order of weights, but on every value', () => {
    const one = { ...spec({}), weights: { a: 1, b: 2 } };
    expect(isSameSpec(one, { ...one, weights: { b: 2, a: 1 } })).toBe(true);
    const others = [
      { weights: { a: 1 } },
      { tokenizer: 'trigram' as const },
      { titleWeight: 2 },
      { format: 1 },
      { fingerprint: 'two' },
    ];
    expect(others.filter((change) => isSameSpec(one, { ...one, ...change }))).toEqual([]);
  });
});
