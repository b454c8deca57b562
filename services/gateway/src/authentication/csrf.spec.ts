import { describe, expect, it } from '@jest/globals';
import { routeOf } from '../routing/router.js';
import { checkCsrf } from './csrf.js';

const own = 'https://site.example';
const session = { cookie: 'theme=dark; cms_session=abc' };
const marked = { 'x-cms-request': '1' };
const sentBy = (site: string) => ({ 'sec-fetch-site': site });

const cases: [what: string, method: string, headers: Record<string, string>, isAllowed: boolean][] = [
  ['a read with a session', 'GET', session, true],
  ['HEAD with a session', 'HEAD', session, true],
  ['OPTIONS from elsewhere', 'OPTIONS', { origin: 'https://evil.example' }, true],
  ['a write with a session and no header', 'POST', session, false],
  ['a write with a session from the own origin', 'POST', { ...session, origin: own }, false],
  ['a write with a session in an odd spelling', 'POST', { cookie: 'theme=dark;cms_session\t =abc' }, false],
  ['a write with a session and the header', 'POST', { ...session, ...marked }, true],
  ['a write with a session and another value of it', 'POST', { ...session, 'x-cms-request': 'true' }, false],
  ['PUT', 'PUT', session, false],
  ['PATCH', 'PATCH', session, false],
  ['DELETE', 'DELETE', session, false],
  ['an unknown method', 'PURGE', session, false],
  ['a write with a Bearer token', 'POST', { authorization: 'Bearer x' }, true],
  [
    'a Bearer token beside a session',
    'POST',
    { ...session, authorization: 'Bearer x', origin: 'https://evil.example' },
    true,
  ],
  ['a public write of a program', 'POST', {}, true],
  ['a public write of the own pages', 'POST', { origin: own }, true],
  ['a public write from elsewhere', 'POST', { origin: 'https://evil.example' }, false],
  [
    'a public write of another origin with the header',
    'POST',
    { origin: 'https://evil.example', ...marked },
    true,
  ],
  ['a public write of a sandboxed page', 'POST', { origin: 'null' }, false],
  ['an origin that only begins like ours', 'POST', { origin: `${own}.evil.example` }, false],
  ['a write with a session of https and no header', 'POST', { cookie: '__Host-cms_session=abc' }, false],
  [
    'a write with the header of a page of this origin',
    'POST',
    { ...session, ...marked, ...sentBy('same-origin') },
    true,
  ],
  [
    'a write with the header by the user through the browser',
    'POST',
    { ...session, ...marked, ...sentBy('none') },
    true,
  ],
  [
    'a write with the header of another site',
    'POST',
    { ...session, ...marked, ...sentBy('cross-site') },
    false,
  ],
  [
    'a write with the header of a sibling host',
    'POST',
    { ...session, ...marked, ...sentBy('same-site') },
    false,
  ],
  [
    'a write with the header and an unknown Sec-Fetch-Site',
    'POST',
    { ...session, ...marked, ...sentBy('other') },
    false,
  ],
  ['a read from another site', 'GET', { ...session, ...sentBy('cross-site') }, true],
  ['a Bearer token from another site', 'POST', { authorization: 'Bearer x', ...sentBy('cross-site') }, true],
  ['a public write from another site without an Origin', 'POST', sentBy('cross-site'), false],
  ['a public write from another site with the header', 'POST', { ...marked, ...sentBy('cross-site') }, true],
  [
    'a public write of a page of this origin with the headers of browsers',
    'POST',
    { origin: own, ...sentBy('same-origin') },
    true,
  ],
  ['a cookie whose name only ends like ours', 'POST', { cookie: 'not_cms_session=1' }, true],
];

describe('checkCsrf (document 1, Credentials; contract 4)', () => {
  it.each(cases)('%s: %s', (_, method, headers, isAllowed) => {
    const check = () => checkCsrf({ method, rule: 'header', headers, ownOrigins: [own] });
    if (isAllowed) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: 'CSRF_REJECTED' }));
  });
});

describe('checkCsrf behind an edge access proxy (document 1, Edge access mode)', () => {
  const check = (headers: Record<string, string> = {}) =>
    checkCsrf({ method: 'POST', rule: 'header', headers, isProxyAuthenticated: true, ownOrigins: [own] });

  it('requires the header for any origin, as with a session', () => {
    for (const headers of [undefined, { origin: own }])
      expect(() => check(headers)).toThrow(expect.objectContaining({ code: 'CSRF_REJECTED' }));
    expect(() => check(marked)).not.toThrow();
    expect(() => check({ authorization: 'Bearer x' })).not.toThrow();
    expect(() => check({ ...marked, ...sentBy('same-site') })).toThrow();
  });
});

const foreign = { ...session, origin: 'https://evil.example' };
const oauth: [path: string, headers: Record<string, string>, isAllowed: boolean][] = [
  ['/_cms/api/oauth/token', foreign, true],
  ['/_cms/api/oauth/register', foreign, true],
  ['/_cms/api/oauth/device/code', foreign, true],
  ['/_cms/api/oauth/device/token', foreign, true],
  ['/.well-known/oauth-protected-resource', foreign, true],
  ['/_cms/api/oauth/device/authorize', session, false],
  ['/_cms/api/oauth/token/revoke', foreign, false],
  ['/_cms/oauth/authorize', session, true],
  ['/_cms/oauth/authorize', { ...session, origin: own }, true],
  ['/_cms/oauth/authorize', { ...session, ...sentBy('same-site') }, false],
  ['/_cms/api/oauth/token', { ...session, ...sentBy('cross-site') }, true],
  ['/_cms/oauth/authorize', foreign, false],
  ['/_cms/oauth/authorize', { ...session, origin: 'null' }, false],
  ['/_cms/admin', { ...session, origin: own }, true],
  ['/_cms/admin', session, true],
  ['/_cms/admin/login', { origin: 'null' }, false],
  ['/_cms/admin/device', foreign, false],
  ['/_cms/administration', { ...session, origin: own }, false],
  ['/_cms/api/auth/magic-link/verify', { ...session, origin: own }, true],
  ['/_cms/api/auth/magic-link/verify', { origin: own }, true],
  ['/_cms/api/auth/magic-link/verify', foreign, false],
  ['/_cms/api/auth/magic-link/verify', { origin: 'null' }, false],
  ['/_cms/api/auth/magic-link/send', { ...session, origin: own }, false],
];

describe('checkCsrf for OAuth endpoints and page forms (contract 4)', () => {
  it.each(oauth)('%s with %j: %s', (path, headers, isAllowed) => {
    const rule = routeOf(path)?.csrf ?? 'header';
    const check = () => checkCsrf({ method: 'POST', rule, headers, ownOrigins: [own] });
    if (isAllowed) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: 'CSRF_REJECTED' }));
  });
});
