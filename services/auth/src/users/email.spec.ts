import { describe, expect, it } from '@jest/globals';
import { normaliseEmail } from './email.js';

describe('normaliseEmail (decision 31)', () => {
  it.each([
    ['a@b.example', 'a@b.example'],
    ['  Ann@Site.Example ', 'ann@site.example'],
    ['ÄNN@Site.example', 'änn@site.example'],
    ['a+b@site.example', 'a+b@site.example'],
    ["o'neil.a_b@site.example", "o'neil.a_b@site.example"],
    ['用户@site.example', '用户@site.example'],
    ['ann@Bücher.example', 'ann@bücher.example'],
    ['ann@xn--bcher-kva.example', 'ann@bücher.example'],
    ['ann@ｓite。example', 'ann@site.example'],
    ['a\u0308nn@site.example', 'änn@site.example'],
    ['admin@localhost.localdomain', 'admin@localhost.localdomain'],
  ])('%j is normalised to %s', (input, address) => {
    expect(normaliseEmail(input)).toBe(address);
  });

  it.each([
    '',
    'a',
    '@b.example',
    'a@',
    'a b@c.example',
    'a@b@c.example',
    `${'a'.repeat(250)}@b.example`,
    'a\0@b.example',
    'a@b.example\u200b',
    'a\u202e@b.example',
    '.a@b.example',
    'a..b@c.example',
    'a,b@c.example',
    '<a>@b.example',
    'a(b)@c.example',
    '"a"@b.example',
    'a@b..example',
    'a@b.example.',
    'a@b.example,',
    'a@-b.example',
    'a@b_c.example',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@0x7f.1',
    'a@b',
    'a@b.example/c',
    'a@%62.example',
    'a@b.example\nBcc: c@d.example',
  ])('rejects %j', (input) => {
    expect(() => normaliseEmail(input)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', message: 'email: is not an e-mail address' }),
    );
  });
});
