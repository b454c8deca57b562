import { describe, expect, it } from '@jest/globals';
import { apiPrefix } from '@quire/http-server';
import { hasApiOperations, routeOf, routerOf } from './router.js';

describe('routeOf: service', () => {
  it.each([
    ['/_cms/api/content', 'content'],
    ['/_cms/api/content/posts/1', 'content'],
    ['/_cms/api/schema/collections', 'content'],
    ['/_cms/api/revisions/1', 'content'],
    ['/_cms/api/taxonomies/tag/terms', 'content'],
    ['/_cms/api/media', 'media'],
    ['/_cms/api/media/file/01ABC.png', 'media'],
    ['/_cms/api/menus/main/items', 'content'],
    ['/_cms/api/search', 'search'],
    ['/_cms/api/search/suggest', 'search'],
    ['/_cms/api/sections', 'content'],
    ['/_cms/api/widget-areas/side/widgets', 'content'],
    ['/_cms/api/settings', 'content'],
    ['/_cms/api/redirects', 'content'],
    ['/_cms/api/redirects/404s', 'content'],
    ['/_cms/api/comments/posts/1', 'content'],
    ['/_cms/api/admin/comments/counts', 'content'],
    ['/_cms/api/admin/api-tokens', 'auth'],
    ['/_cms/api/admin/bylines/1/translations', 'content'],
    ['/_cms/api/admin/byline-fields/twitter', 'content'],
    ['/_cms/api/admin/users/1/send-recovery', 'auth'],
    ['/_cms/api/setup', 'auth'],
    ['/_cms/api/setup/admin/verify', 'auth'],
    ['/_cms/api/admin/users/1/disable', 'auth'],
    ['/_cms/api/admin/allowed-domains/a.example', 'auth'],
    ['/_cms/api/admin/audit-log', 'auth'],
    ['/_cms/api/auth/mode', 'auth'],
    ['/_cms/api/admin/oauth-clients/app', 'auth'],
    ['/_cms/api/oauth/token', 'auth'],
    ['/_cms/oauth/authorize', 'auth'],
    ['/.well-known/oauth-protected-resource', 'auth'],
    ['/.well-known/oauth-protected-resource/_cms/api/mcp', 'auth'],
    ['/.well-known/oauth-authorization-server/_cms', 'auth'],
    ['/_cms/.well-known/auth', 'auth'],
    ['/_cms', 'admin'],
    ['/_cms/', 'admin'],
    ['/_cms/admin', 'auth'],
    ['/_cms/admin/', 'auth'],
    ['/_cms/admin/login', 'auth'],
    ['/_cms/admin/login/more', 'auth'],
    ['/_cms/admin/logins', 'admin'],
    ['/_cms/admin/setup/account', 'auth'],
    ['/_cms/admin/invite/accept', 'auth'],
    ['/_cms/admin/assets/1/styles.css', 'admin'],
    ['/_cms/admin/nothing', 'admin'],
    ['/_cms/admin/panel', 'admin'],
    ['/_cms/admin/panel/preferences', 'admin'],
    ['/_cms/api/openapi.json', 'gateway'],
    ['/_cms/administration', undefined],
    ['/.well-known/other', undefined],
    ['/oauth/token', undefined],
    ['/_cms/content', undefined],
    ['/_cms/api/contents', undefined],
    ['/_cms/api/internal/auth/credentials/bearer', undefined],
    ['/_cms/api/', undefined],
    ['/_cms/api', undefined],
    ['/content', undefined],
    ['/', undefined],
    ['', undefined],
    ['*', undefined],
  ])('%s: %s', (path, service) => {
    expect(routeOf(path)?.service).toBe(service);
  });

  it.each([
    ['/_cms/api/admin/users/1/unknown', 'auth'],
    ['/_cms/api/content/posts/1/unknown/2', 'content'],
    ['/_cms/api/content/posts/100%', 'content'],
    [`/_cms/api/content/posts/${'a'.repeat(5000)}`, 'content'],
  ])('finds the service of paths that no operation is declared for: %s', (path, service) => {
    expect(routeOf(path)?.service).toBe(service);
  });

  it.each(['/_cms/api/%63ontent/posts', '/_cms/api/%69nternal/auth/mode', '/_cms%2Fapi/content'])(
    'does not decode the name of a namespace: %s',
    (path) => {
      expect(routeOf(path)).toBeUndefined();
    },
  );
});

const rule = (path: string) =>
  routeOf(path.startsWith('/.') || path.startsWith('/_') ? path : apiPrefix + path);

describe('routeOf: rule under edge access (document 1, Edge access mode)', () => {
  it.each([
    ['/comments/posts/1', 'public-with-session'],
    ['/comments/unknown/of/them', 'public-with-session'],
    ['/redirects/resolve', 'public'],
    ['/openapi.json', 'public'],
    ['/auth/mode', 'public'],
    ['/setup/status', 'public'],
    ['/media/file/01ABC.png', 'public'],
    ['/oauth/token', 'public'],
    ['/oauth/token/refresh', 'public'],
    ['/oauth/token/revoke', 'public'],
    ['/.well-known/oauth-protected-resource', 'public'],
    ['/.well-known/oauth-protected-resource/unknown', 'public'],
    ['/_cms/.well-known/auth', 'public'],
    ['/_cms/admin/assets/1/styles.css', 'public'],
    ['/_cms/admin/panel/assets/1/index.js', 'public'],
    ['/auth/me', 'protected'],
    ['/auth/me/unknown', 'protected'],
    ['/auth/logout', 'protected'],
    ['/auth/sessions', 'protected'],
    ['/auth/sessions/1', 'protected'],
    ['/auth/mode/unknown', 'protected'],
    ['/oauth/token/unknown', 'protected'],
    ['/setup/status/unknown', 'protected'],
    ['/setup', 'protected'],
    ['/media/file', 'protected'],
    ['/media/1', 'protected'],
    ['/admin/users/1', 'protected'],
    ['/admin/users/1/unknown', 'protected'],
    ['/_cms', 'protected'],
    ['/_cms/admin', 'protected'],
    ['/_cms/admin/panel', 'protected'],
    ['/_cms/admin/panel/preferences', 'protected'],
    ['/_cms/admin/setup', 'protected'],
    ['/_cms/admin/unknown', 'protected'],
    ['/auth/passkey', 'disabled'],
    ['/auth/passkey/', 'disabled'],
    ['/auth/pass%6Bey/options', 'disabled'],
    ['/auth/passkey#fragment', 'disabled'],
    ['/auth/measure', 'disabled'],
    ['/auth/unknown', 'disabled'],
    ['/auth/%zz', 'disabled'],
    ['/auth/oauth/any/callback', 'disabled'],
    ['/oauth/register', 'disabled'],
    ['/oauth/device/code', 'disabled'],
    ['/oauth/unknown', 'disabled'],
    ['/setup/admin', 'disabled'],
    ['/setup/unknown', 'disabled'],
    ['/admin/users/1/send-recovery', 'disabled'],
    ['/admin/users/1/send-recovery/', 'disabled'],
    ['/_cms/oauth', 'disabled'],
    ['/_cms/oauth/authorize', 'disabled'],
    ['/_cms/admin/login', 'disabled'],
    ['/_cms/admin/login/unknown', 'disabled'],
    ['/_cms/admin/invite/accept', 'disabled'],
    ['/_cms/admin/setup/account', 'disabled'],
  ])('%s: %s', (path, expected) => {
    expect(rule(path)?.underEdgeAccess).toBe(expected);
  });
});

describe('routeOf: credentials and timeouts', () => {
  it.each([
    ['/oauth/token', true],
    ['/oauth/register', true],
    ['/oauth/device/code', true],
    ['/oauth/device/token', true],
    ['/oauth/token/refresh', true],
    ['/oauth/token/revoke', true],
    ['/oauth/device/authorize', false],
    ['/auth/me', false],
  ])('%s ignores credentials: %s (mcp-tools 15)', (path, isIgnored) => {
    expect(rule(path)?.ignoresCredentials).toBe(isIgnored);
  });

  it.each([
    ['/admin/media-usage/repair', 3600],
    ['/media/1/confirm', 3600],
    ['/media/1', undefined],
  ])('%s has %s seconds', (path, seconds) => {
    expect(rule(path)?.timeoutSeconds).toBe(seconds);
  });
});

describe('hasApiOperations', () => {
  it.each([
    ['content', true],
    ['admin', false],
    ['unknown', false],
  ])('%s: %s', (service, expected) => {
    expect(hasApiOperations(service)).toBe(expected);
  });
});

describe('routerOf', () => {
  it('prefers an operation to the other paths of its namespace', () => {
    const find = routerOf({
      a: { '/a': { '': {}, '/*': { csrf: 'none' }, '/:id/b': {}, '/c/*': { csrf: 'form' } } },
    });
    expect(['/a', '/a/1/b', '/a/1/x', '/a/c/x', '/a/c/b'].map((path) => find(path)?.csrf)).toEqual([
      'header',
      'header',
      'none',
      'form',
      'form',
    ]);
  });
});
