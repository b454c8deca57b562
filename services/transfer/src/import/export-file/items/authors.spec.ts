import { describe, expect, it } from '@jest/globals';
import { authorName } from './authors.js';

const author = { id: 1, login: 'ada', email: '', displayName: '', firstName: '', lastName: '' };

describe('authorName', () => {
  it.each([
    [{ displayName: 'Ada &amp; Co', firstName: 'Ada' }, 'Ada & Co'],
    [{ firstName: 'Ada', lastName: 'L.' }, 'Ada L.'],
    [{ lastName: 'L.' }, 'L.'],
    [{}, 'ada'],
  ])('names %j %s', (names, name) => {
    expect(authorName('ada', { ...author, ...names })).toBe(name);
  });

  it('names an undeclared author by the login', () => {
    expect(authorName('>ghost')).toBe('>ghost');
  });
});
