import { describe, expect, it } from '@jest/globals';
import { installationHosts, siteOrigin } from './site-origin.js';

const given = { origin: 'https://cms.example:8443', isGiven: true };
const configured = { origin: 'https://cms.example', isGiven: true };
const guessed = { origin: 'http://localhost:4321', isGiven: false };

describe('siteOrigin (contract, OAuth discovery)', () => {
  it.each([
    ['a.example', 'a.example:9', given, 'https://a.example:8443'],
    ['a.example', 'a.example', given, 'https://a.example:8443'],
    ['a.example:7000', 'a.example:7000', given, 'https://a.example:7000'],
    ['a.example', 'a.example:9', configured, 'https://a.example'],
    ['a.example', 'A.Example:4321', guessed, 'http://a.example:4321'],
    ['a.example', 'a.example', guessed, 'http://a.example'],
    ['a.example', 'a.example:9', guessed, 'http://a.example'],
  ])('of %s for the Host header %s at %j is %s', (registered, hostHeader, address, expected) => {
    expect(siteOrigin(registered, hostHeader, address)).toBe(expected);
  });
});

describe('installationHosts (decision 29)', () => {
  it.each([
    [given, ['cms.example:8443']],
    [configured, ['cms.example']],
    [guessed, ['localhost:4321', '127.0.0.1:4321', '[::1]:4321']],
    [{ origin: 'http://localhost', isGiven: false }, ['localhost', '127.0.0.1', '[::1]']],
  ])('of %j are %j', (address, expected) => {
    expect(installationHosts(address)).toEqual(expected);
  });
});
