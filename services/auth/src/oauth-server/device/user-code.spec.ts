import { describe, expect, it } from '@jest/globals';
import { generateUserCode, formatUserCode, normaliseUserCode } from './user-code.js';

describe('the code that a user types (contract 32)', () => {
  it('has eight unambiguous characters in two groups', () => {
    const codes = Array.from({ length: 200 }, generateUserCode);
    for (const code of codes) expect(formatUserCode(code)).toMatch(/^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it.each(['ABCD-2345', 'abcd2345', ' ab cd-23 45 '])('normalises %j', (typed) => {
    expect(normaliseUserCode(typed)).toBe('ABCD2345');
  });
});
