import { describe, expect, it } from '@jest/globals';
import { newUserCode, shownUserCode, typedUserCode } from './user-code.js';

describe('the code that a user types (contract 32)', () => {
  it('has eight characters that nobody takes for one another, in two groups', () => {
    const codes = Array.from({ length: 200 }, newUserCode);
    for (const code of codes) expect(shownUserCode(code)).toMatch(/^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it.each(['ABCD-2345', 'abcd2345', ' ab cd-23 45 '])('%j is the same', (typed) => {
    expect(typedUserCode(typed)).toBe('ABCD2345');
  });
});
