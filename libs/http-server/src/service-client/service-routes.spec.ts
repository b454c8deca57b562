import { describe, expect, it } from '@jest/globals';
import { serviceOfInternalPath, serviceOfPath } from './service-routes.js';

describe('serviceOfPath', () => {
  it.each([
    ['/_cms/api/content', 'content'],
    ['/_cms/api/content/posts/1', 'content'],
    ['/_cms/api/content?limit=1', 'content'],
    ['/_cms/api/schema/collections', 'content'],
    ['/_cms/api/revisions/1', 'content'],
    ['/_cms/api/taxonomies/tag/terms', 'content'],
    ['/_cms/api/media', 'media'],
    ['/_cms/api/media/file/01ABC.png', 'media'],
    ['/_cms/api/menus/main/items', 'content'],
    ['/_cms/api/search?q=a', 'search'],
    ['/_cms/api/search/suggest?q=a', 'search'],
    ['/_cms/api/sections?limit=1', 'content'],
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
    ['/_cms/api/admin/audit-log?limit=1', 'auth'],
    ['/_cms/api/auth/mode', 'auth'],
    ['/_cms/api/admin/oauth-clients/app', 'auth'],
    ['/_cms/api/oauth/token', 'auth'],
    ['/_cms/oauth/authorize?client_id=a', 'auth'],
    ['/.well-known/oauth-protected-resource', 'auth'],
    ['/.well-known/oauth-protected-resource/_cms/api/mcp', 'auth'],
    ['/.well-known/oauth-authorization-server/_cms', 'auth'],
    ['/_cms/.well-known/auth', 'auth'],
    ['/_cms', 'admin'],
    ['/_cms/?a=1', 'admin'],
    ['/_cms/admin', 'auth'],
    ['/_cms/admin/', 'auth'],
    ['/_cms/admin?done=x', 'auth'],
    ['/_cms/admin/login?redirect=/', 'auth'],
    ['/_cms/admin/login/more', 'auth'],
    ['/_cms/admin/logins', 'admin'],
    ['/_cms/admin/setup/account', 'auth'],
    ['/_cms/admin/invite/accept?token=a', 'auth'],
    ['/_cms/admin/assets/1/styles.css', 'admin'],
    ['/_cms/admin/nothing', 'admin'],
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
  ])('%s: %s', (path, service) => {
    expect(serviceOfPath(path)).toBe(service);
  });

  it.each([
    ['/_cms/api/internal/auth/credentials/bearer', 'auth'],
    ['/_cms/api/content', undefined],
  ])('%s is for %s among themselves', (path, service) => {
    expect(serviceOfInternalPath(path)).toBe(service);
  });
});
