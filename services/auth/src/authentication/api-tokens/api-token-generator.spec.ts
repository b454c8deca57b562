import { describe, expect, it } from '@jest/globals';
import { generateApiToken, tokenHash } from './api-token-generator.js';

describe('generateApiToken (contract 4)', () => {
  it('returns ec_pat_ with 32 random bytes, and a prefix with four of their characters', () => {
    const { text, prefix, hash } = generateApiToken();
    expect(text).toMatch(/^ec_pat_[A-Za-z0-9_-]{43}$/);
    expect(prefix).toBe(text.slice(0, 11));
    expect(hash).toBe(tokenHash(text));
    expect(generateApiToken().text).not.toBe(text);
  });
});

describe('tokenHash', () => {
  it('is the SHA-256 of the text', () => {
    expect(tokenHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
