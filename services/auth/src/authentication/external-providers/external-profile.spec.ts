import { describe, expect, it } from '@jest/globals';
import { toExternalProfile } from './external-profile.js';

const nameOf = (name: string | null) => toExternalProfile({ accountId: 'id', email: null, name }).name;

describe('toExternalProfile', () => {
  it('truncates a long name between characters', () => {
    expect(nameOf(`${'x'.repeat(199)}\u{1F600}y`)).toBe(`${'x'.repeat(199)}\u{1F600}`);
  });

  it('returns null for a name that is blank or cannot be stored', () => {
    expect([null, '  ', 'a\0b'].map(nameOf)).toEqual([null, null, null]);
  });

  it('rejects an empty account id and an invalid address', () => {
    const email = { address: 'ann', isVerified: true };
    expect(() => toExternalProfile({ accountId: '', email: null, name: null })).toThrow('no usable account');
    expect(() => toExternalProfile({ accountId: 'id', email, name: null })).toThrow('no usable account');
  });
});
