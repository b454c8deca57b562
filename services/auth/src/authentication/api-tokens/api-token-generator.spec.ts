import { describe, expect, it } from '@jest/globals';
import { generateApiToken, tokenHash } from './api-token-generator.js';

describe('a personal access token (contract 4)', () => {
  it('is ec_pat_ and 32 random bytes; lists show four characters of them', () => {
    const { text, prefix, hash } = generateApiToken();
    expect(text).toMatch(/^ec_pat_[A-Za-z0-9_-]{43}$/);
    expect(prefix).toBe(text.slice(0, 11));
    expect(hash).toBe(tokenHash(text));
    expect(generateApiToken().text).not.toBe(text);
  });

  it('is stored as its SHA-256', () => {
    expect(tokenHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
