import { describe, expect, it } from '@jest/globals';
import { github } from './github.js';
import { google } from './google.js';

describe('serverAddress', () => {
  it.each(['https://login.example', 'http://localhost:3000', 'http://127.0.0.1:3000/', 'http://[::1]:3000'])(
    'accepts %s',
    (address) => {
      expect(google({ issuer: address }).id).toBe('google');
      expect(github({ baseUrl: address }).id).toBe('github');
    },
  );

  it.each([
    'http://login.example',
    'http://localhost.evil.example',
    'ftp://login.example',
    'login.example',
    '',
  ])('throws for "%s"', (address) => {
    expect(() => google({ issuer: address })).toThrow('google: issuer: must be an https address');
    expect(() => github({ baseUrl: address })).toThrow('github: baseUrl: must be an https address');
  });
});
