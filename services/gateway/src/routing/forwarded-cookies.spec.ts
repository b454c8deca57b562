import { describe, expect, it } from '@jest/globals';
import { forwardedCookies } from './forwarded-cookies.js';
import { routeOf } from './router.js';

describe('forwardedCookies', () => {
  it.each([
    ['/_cms/api/comments/posts/1', 'cms_session=a; cms_commenter=b; x=c', 'cms_commenter=b'],
    ['/_cms/api/comments/posts/1', '__Host-cms_commenter=b;cms_session=a', '__Host-cms_commenter=b'],
    ['/_cms/api/comments/posts/1', 'cms_session=a', undefined],
    ['/_cms/api/comments/posts/1', 'xcms_commenter=a', undefined],
    ['/_cms/api/comments/posts/1', undefined, undefined],
    ['/_cms/api/content/posts', 'cms_session=a; cms_commenter=b', undefined],
    ['/_cms/api/media', 'cms_session=a; cms_commenter=b', undefined],
    ['/_cms/api/auth/logout', 'cms_session=a; cms_commenter=b', 'cms_session=a; cms_commenter=b'],
    ['/_cms/admin/login', 'cms_admin_csrf=a', 'cms_admin_csrf=a'],
  ])('of %s from %j are %j', (path, header, cookies) => {
    expect(forwardedCookies(routeOf(path)?.cookies ?? [], header)).toBe(cookies);
  });
});
