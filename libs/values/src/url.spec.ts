import { describe, expect, test } from '@jest/globals';
import { isAllowedSeedUrl, isAllowedUrl, isHttpUrl } from './url.js';

const passes = [
  'https://a.example/x?y#z',
  'HTTP://A.example',
  'https://bücher.example/ä',
  'https://[::1]/',
  'https://user:pw@host',
  'https://a.example/x?y=\\z',
  'mailto:a@b.example',
  'tel:+4912',
  '/',
  '/about',
  '/a//b',
  '/%2F/x',
  '/über',
  '#',
  '#top',
];

const unsafe: [string, string][] = [
  ['https://', 'no host'],
  ['https:///evil.example', 'no host'],
  ['https://?x', 'no host'],
  ['https://a b.example', 'a space in the host'],
  ['https://a.example:99999', 'no such port'],
  ['http:a.example', 'no slashes'],
  ['https:/a.example', 'one slash'],
  ['https:\\\\a.example', 'backslashes'],
  ['https://a.example\\x', 'a backslash before the query'],
  ['mailto:', 'nobody'],
  ['tel:', 'no number'],
  ['javascript:alert(1)', 'a script'],
  ['JaVaScRiPt:alert(1)', 'a script'],
  ['java\nscript:alert(1)', 'a script behind a newline'],
  ['vbscript:x', 'a script'],
  ['data:text/html,x', 'a document in a link'],
  ['blob:https://a.example/1', 'not one of the four schemes'],
  ['file:///etc/passwd', 'not one of the four schemes'],
  ['ftp://a.example', 'not one of the four schemes'],
  ['//evil.example', 'another site'],
  ['//site.invalid/x', 'another site'],
  ['/\\evil.example', 'another site'],
  ['\\\\evil.example', 'another site'],
  ['/\t/evil.example', 'another site behind a tab'],
  [' /about', 'a leading space'],
  ['/about ', 'a trailing space'],
  ['/a\u007fb', 'a control character'],
  ['#a\u0001', 'a control character'],
  ['', 'nothing'],
];

const schemeLess = ['www.example.com', 'about', './x', '../x', '?q=1', 'www.example.com/a?b=c'];

describe('url rules', () => {
  test.each(passes)('accept %s', (value) => {
    expect(isAllowedUrl(value)).toBe(true);
    expect(isAllowedSeedUrl(value)).toBe(true);
  });

  test('accept an address with letters such as ü however often it is checked', () => {
    // The engine optimises functions after some thousand calls.
    const results = Array.from({ length: 20_000 }, () => isAllowedUrl('https://bücher.example/ä'));
    expect(new Set(results)).toEqual(new Set([true]));
  });

  test.each(unsafe)('reject %j: %s, through the API and in seeds', (value) => {
    expect(isAllowedUrl(value)).toBe(false);
    expect(isAllowedSeedUrl(value)).toBe(false);
  });

  test.each(schemeLess)('reject %s through the API and accept it in seeds', (value) => {
    expect(isAllowedUrl(value)).toBe(false);
    expect(isAllowedSeedUrl(value)).toBe(true);
  });

  test.each([
    ['https://a.example/x', true],
    ['HTTP://a.example', true],
    ['mailto:a@b.example', false],
    ['/about', false],
    ['http:a.example', false],
  ])('%s is an http(s) URL: %s', (value, expected) => {
    expect(isHttpUrl(value)).toBe(expected);
  });
});
