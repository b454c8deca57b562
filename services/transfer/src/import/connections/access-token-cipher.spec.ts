import { describe, expect, it } from '@jest/globals';
import { AccessTokenCipher } from './access-token-cipher.js';

const owner = { userId: 'ann', siteId: '1' };
const cipher = new AccessTokenCipher('secret', 'tenant');
const sealed = cipher.seal('token', owner);

describe('AccessTokenCipher', () => {
  it('opens what it has sealed, also after a restart', () => {
    expect(sealed).not.toContain(Buffer.from('token').toString('base64url'));
    expect(new AccessTokenCipher('secret', 'tenant').open(sealed, owner)).toBe('token');
  });

  it('seals equal tokens differently', () => {
    expect(cipher.seal('token', owner)).not.toBe(sealed);
  });

  it.each<[string, AccessTokenCipher, typeof owner, string]>([
    ['another client secret', new AccessTokenCipher('other', 'tenant'), owner, sealed],
    ['another site of the installation', new AccessTokenCipher('secret', 'other'), owner, sealed],
    ['another user', cipher, { ...owner, userId: 'eve' }, sealed],
    ['another connected site', cipher, { ...owner, siteId: '2' }, sealed],
    ['a changed text', cipher, owner, `${sealed.slice(0, -4)}AAAA`],
    ['a cut text', cipher, owner, sealed.slice(0, 20)],
    ['an empty text', cipher, owner, ''],
  ])('opens nothing for %s', (_, other, given, text) => {
    expect(other.open(text, given)).toBeUndefined();
  });
});
