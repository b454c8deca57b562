import { describe, expect, it } from '@jest/globals';
import { siteOrigin } from './site-origin.js';

const given = { origin: 'https://cms.example:8443', isGiven: true };
const usual = { origin: 'https://cms.example', isGiven: true };
const guessed = { origin: 'http://localhost:4321', isGiven: false };

describe('the origin of a site (contract, OAuth discovery)', () => {
  it.each([
    ['a.example', 'a.example:9', given, 'https://a.example:8443'],
    ['a.example', 'a.example', given, 'https://a.example:8443'],
    ['a.example:7000', 'a.example:7000', given, 'https://a.example:7000'],
    ['a.example', 'a.example:9', usual, 'https://a.example'],
    ['a.example', 'A.Example:4321', guessed, 'http://a.example:4321'],
    ['a.example', 'a.example', guessed, 'http://a.example'],
    ['a.example', 'a.example:9', guessed, 'http://a.example'],
  ])('of %s asked for as %s by %j is %s', (registered, asked, address, expected) => {
    expect(siteOrigin(registered, asked, address)).toBe(expected);
  });
});
