import { describe, expect, it } from '@jest/globals';
import { normalisedEmail } from './email.js';

describe('e-mail addresses (decision 31)', () => {
  it.each([
    ['a@b.example', 'a@b.example'],
    ['  Ann@Site.Example ', 'ann@site.example'],
    ['ÄNN@Site.example', 'änn@site.example'],
    ['a+b@site.example', 'a+b@site.example'],
  ])('%j is %s', (given, stored) => {
    expect(normalisedEmail(given)).toBe(stored);
  });

  it.each(['', 'a', '@b.example', 'a@', 'a b@c.example', 'a@b@c.example', `${'a'.repeat(250)}@b.example`])(
    '%j is none',
    (given) => {
      expect(() => normalisedEmail(given)).toThrow(
        expect.objectContaining({ code: 'VALIDATION_ERROR', message: 'email: is not an e-mail address' }),
      );
    },
  );
});
