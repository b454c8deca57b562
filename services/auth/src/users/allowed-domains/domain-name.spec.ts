import { describe, expect, it } from '@jest/globals';
import { normaliseDomain } from './domain-name.js';

const label = 'a'.repeat(63);

describe('normaliseDomain (contract 24)', () => {
  it.each([
    ['site.example', 'site.example'],
    ['  Mail.SITE.Example ', 'mail.site.example'],
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['a-b.1st.example', 'a-b.1st.example'],
    [`${label}.example`, `${label}.example`],
  ])('%j is normalised to %s', (input, domain) => {
    expect(normaliseDomain(input)).toBe(domain);
  });

  it.each([
    '',
    ' ',
    'localhost',
    '.example',
    'example.',
    'site..example',
    'site。example',
    '-a.example',
    'a-.example',
    'a_b.example',
    'a b.example',
    '@site.example',
    'ann@site.example',
    'https://site.example',
    'site.example/path',
    'site.example:443',
    '*.site.example',
    '127.0.0.1',
    '0x7f.1',
    '[::1]',
    'site%2eexample',
    'site.example\u0000',
    'xn--a.example',
    `a${label}.example`,
    `${`${label}.`.repeat(4)}example`,
  ])('rejects %j', (input) => {
    expect(normaliseDomain(input)).toBeUndefined();
  });
});
