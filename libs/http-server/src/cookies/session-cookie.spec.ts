import { describe, expect, it } from '@jest/globals';
import { hasSessionCookie, createSessionToken, sessionTokensOf } from './session-cookie.js';

const plain = createSessionToken('http://site.example');
const other = createSessionToken(null);
const hostOnly = createSessionToken('https://site.example');

describe('sessionTokensOf', () => {
  it.each<[what: string, header: string | undefined, expected: string[]]>([
    ['no header', undefined, []],
    ['other cookies', 'theme=dark; not_cms_session=1', []],
    ['a session on http', `theme=dark; cms_session=${plain}`, [plain]],
    ['a session on https', `__Host-cms_session=${hostOnly}`, [hostOnly]],
    [
      'both, the prefixed one first',
      `cms_session=${plain}; __Host-cms_session=${hostOnly}`,
      [hostOnly, plain],
    ],
    ['two of the bare name', `cms_session=${plain}; cms_session=${other}`, [plain, other]],
    ['one twice', `cms_session=${plain}; cms_session=${plain}`, [plain]],
    ['junk before a good one', `cms_session=x; cms_session=; cms_session=${plain}`, [plain]],
    ['a session of https under the bare name', `cms_session=${hostOnly}`, []],
    ['a session of http under the prefixed name', `__Host-cms_session=${plain}`, []],
    ['another spelling of the prefix', `__host-cms_session=${hostOnly}`, []],
    ['odd spaces', `theme=dark;cms_session\t = ${plain} `, [plain]],
  ])('returns: %s', (_, header, expected) => {
    expect(sessionTokensOf(header)).toEqual(expected);
  });

  it('returns five at most', () => {
    const many = Array.from({ length: 9 }, () => `cms_session=${createSessionToken(null)}`);
    expect(sessionTokensOf(many.join('; '))).toHaveLength(5);
  });
});

describe('hasSessionCookie', () => {
  it.each([
    [undefined, false],
    ['theme=dark', false],
    ['not_cms_session=1', false],
    ['cms_session=', false],
    ['cms_session=junk', true],
    ['cms_session=; cms_session=x', true],
    ['theme=dark;cms_session\t =abc', true],
    ['__Host-cms_session=junk', true],
  ])('of %j is %s', (header, expected) => {
    expect(hasSessionCookie(header)).toBe(expected);
  });
});
