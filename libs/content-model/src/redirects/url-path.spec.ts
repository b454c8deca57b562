import { describe, expect, it } from '@jest/globals';
import { requestedPath, urlPathProblem } from './url-path.js';

describe('urlPathProblem (contract 23)', () => {
  it.each([
    '/',
    '/a',
    '/a/b/',
    '/ä ö',
    '/a?x=1&y=//z',
    '/a#part',
    '/a..b',
    '/100%',
    '/a?u=..%2f..',
    '/.well-known/x',
  ])('accepts %j', (text) => expect(urlPathProblem(text)).toBeNull());

  it.each([
    '',
    'a',
    'https://evil.example/',
    'javascript:alert(1)',
    '//evil.example',
    '/\\evil.example',
    '/a\\b',
    '/%2Fevil.example',
    '/%5cevil.example',
    '/a\r\nSet-Cookie: x=1',
    '/a%0d%0aSet-Cookie: x=1',
    '/\t/evil.example',
    '/a\u0000',
    '/\ud800',
    '/..',
    '/a/../b',
    '/a/%2e%2E/b',
    '/a%2f..%2fb',
    '/a/..?x=1',
    `/${'x'.repeat(2_048)}`,
    `/${'記'.repeat(300)}`,
  ])('rejects %j', (text) => expect(urlPathProblem(text)).not.toBeNull());
});

describe('requestedPath', () => {
  it.each([
    ['/café', '/caf%C3%A9'],
    ['/caf%c3%a9', '/caf%C3%A9'],
    ['/a b', '/a%20b'],
    ['/./a/b/../c', '/a/c'],
    ['/a[b]', '/a%5Bb%5D'],
    ['/a/', '/a/'],
    ['//evil.example/x', '//evil.example/x'],
    ['/A#part', '/A'],
  ])('of %j is %j', (text, path) => expect(requestedPath(text)).toEqual({ path, search: '' }));

  it('separates the query', () => {
    expect(requestedPath('/?p=%c3%a9&q[]=1#x')).toEqual({ path: '/', search: '?p=%C3%A9&q[]=1' });
  });
});
