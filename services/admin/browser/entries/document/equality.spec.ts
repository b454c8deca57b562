import { describe, expect, it } from '@jest/globals';
import { canonicalJson, isEqual, isNormalisedFrom } from './equality.js';

describe('isEqual', () => {
  it('compares by value, without the order of names', () => {
    expect(isEqual({ a: [1, { b: null }], c: undefined }, { a: [1, { b: null }] })).toBe(true);
    expect(isEqual({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
    expect(isEqual([1, 2], [2, 1])).toBe(false);
    expect(isEqual(null, undefined)).toBe(false);
    expect(isEqual({}, [])).toBe(false);
  });
});

describe('canonicalJson', () => {
  it('is the same for equal values', () => {
    expect(canonicalJson({ b: 1, a: { d: 1, c: undefined } })).toBe(canonicalJson({ a: { d: 1 }, b: 1 }));
    expect(canonicalJson(undefined)).toBe('undefined');
  });
});

describe('isNormalisedFrom', () => {
  it('knows stored dates, media and cleared values again', () => {
    expect(isNormalisedFrom('2026-05-01T08:00:00.000Z', '2026-05-01T10:00:00+02:00')).toBe(true);
    expect(isNormalisedFrom({ id: 'a', src: '/a.png', alt: 'x' }, { id: 'a', alt: 'x' })).toBe(true);
    expect(isNormalisedFrom([{ id: 'a', width: 1 }], [{ id: 'a' }])).toBe(true);
    expect(isNormalisedFrom(undefined, null)).toBe(true);
  });

  it('is false for other values', () => {
    expect(isNormalisedFrom({ id: 'a' }, { id: 'a', alt: 'x' })).toBe(false);
    expect(isNormalisedFrom('2026', '2026-01-01T00:00Z')).toBe(false);
    expect(isNormalisedFrom(['a', 'b'], ['a'])).toBe(false);
  });
});
