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

describe('weights', () => {
  it('put the title far above all fields unless told', () => {
    const { weights, titleClass, classOf } = of({});
    expect(titleClass).toBe(0);
    expect(classOf('body')).toBe(1);
    expect(weights.slice(0, 2)).toEqual([1, 0.1]);
  });

  it('tell three fields apart, and take those that weigh least as one', () => {
    const { titleClass, classOf } = of({ a: 8, b: 6, c: 4, d: 2 });
    expect([titleClass, ...['a', 'b', 'c', 'd', 'other'].map(classOf)]).toEqual([0, 1, 2, 3, 3, 3]);
  });

  it('put a field above the title when they say so', () => {
    const { titleClass, classOf, weights } = of({ keywords: 5 }, 1);
    expect([classOf('keywords'), titleClass, classOf('body')]).toEqual([0, 1, 1]);
    expect(weights[1]).toBe(0.2);
  });

  it('do not take the names of what every object has for fields', () => {
    expect(of({ a: 3 }).classOf('constructor')).toBe(of({ a: 3 }).classOf('body'));
  });
});
