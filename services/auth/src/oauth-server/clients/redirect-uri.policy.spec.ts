import { describe, expect, it } from '@jest/globals';
import { isRedirectUri, isRegistered, buildRedirectUri } from './redirect-uri.policy.js';

describe('valid redirect URIs (contract 32)', () => {
  it.each([
    'https://app.example/callback',
    'https://app.example:8443/cb?tenant=a',
    'http://localhost/cb',
    'http://127.0.0.1:4711/cb',
    'http://[::1]:4711/',
  ])('accepts %s', (uri) => expect(isRedirectUri(uri)).toBe(true));

  it.each([
    'http://app.example/cb',
    'http://localhost.evil.example/cb',
    'http://127.0.0.2/cb',
    'http://127.0.0.1@evil.example/cb',
    'https://user:secret@app.example/cb',
    'https://app.example/cb#x',
    'https://app.example\\@evil.example/',
    'https://app.example/c b',
    ' https://app.example/cb',
    'https://äpp.example/cb',
    'https://',
    'https:app.example/cb',
    'https:/app.example/cb',
    'https:///app.example/cb',
    'app://callback',
    'javascript:alert(1)',
    'data:text/html,x',
    '/cb',
    '',
  ])('rejects %j', (uri) => expect(isRedirectUri(uri)).toBe(false));
});

describe('a registered redirect URI', () => {
  const registered = ['https://app.example/cb', 'http://127.0.0.1/cb', 'http://localhost:1234/cb?a=1'];

  it.each([
    'https://app.example/cb',
    'http://127.0.0.1/cb',
    'http://127.0.0.1:50000/cb',
    'http://localhost/cb?a=1',
    'http://localhost:9/cb?a=1',
  ])('matches %s', (uri) => expect(isRegistered(uri, registered)).toBe(true));

  it.each([
    'https://app.example/cb/',
    'https://app.example/CB',
    'https://APP.example/cb',
    'https://app.example:443/cb',
    'https://app.example/cb?x=1',
    'https://app.example/%63b',
    'https://app.example/x/../cb',
    'http://localhost/cb',
    'http://127.0.0.1:50000/cb/more',
    'http://127.0.0.1:50000@evil.example/cb',
    'http://127.0.0.1:99999/cb',
    'https://127.0.0.1/cb',
  ])('does not match %s', (uri) => expect(isRegistered(uri, registered)).toBe(false));
});

describe('buildRedirectUri', () => {
  it('appends the response parameters and keeps the existing query', () => {
    expect(buildRedirectUri('https://a.example/cb', { code: 'c', state: undefined, iss: 'i' })).toBe(
      'https://a.example/cb?code=c&iss=i',
    );
    expect(buildRedirectUri('https://a.example/cb?x=a%20b', { error: 'e', state: 'a b&c', iss: 'i' })).toBe(
      'https://a.example/cb?x=a%20b&error=e&state=a+b%26c&iss=i',
    );
  });
});
