import { describe, expect, it } from '@jest/globals';
import { indexFormat } from '../port/search-index.js';
import { weighting } from './weights.js';

const of = (weights: Record<string, number>, titleWeight?: number) =>
  weighting({
    collectionId: 'c',
    generation: 1,
    format: indexFormat,
    tokenizer: 'unicode61',
    weights,
    ...(titleWeight && { titleWeight }),
  });

describe('weighting', () => {
  it('puts the title far above all fields by default', () => {
    const { weights, titleClass, classOf } = of({});
    expect(titleClass).toBe(0);
    expect(classOf('body')).toBe(1);
    expect(weights.slice(0, 2)).toEqual([1, 0.1]);
  });

  it('distinguishes three fields, and treats the lightest as one', () => {
    const { titleClass, classOf } = of({ a: 8, b: 6, c: 4, d: 2 });
    expect([titleClass, ...['a', 'b', 'c', 'd', 'other'].map(classOf)]).toEqual([0, 1, 2, 3, 3, 3]);
  });

  it('puts a field above the title if it has the greater weight', () => {
    const { titleClass, classOf, weights } = of({ keywords: 5 }, 1);
    expect([classOf('keywords'), titleClass, classOf('body')]).toEqual([0, 1, 1]);
    expect(weights[1]).toBe(0.2);
  });

  it('ignores inherited properties of objects', () => {
    expect(of({ a: 3 }).classOf('constructor')).toBe(of({ a: 3 }).classOf('body'));
  });
});
