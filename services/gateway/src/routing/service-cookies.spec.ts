import { describe, expect, it } from '@jest/globals';
import { cookiesFor } from './service-cookies.js';

describe('cookiesFor', () => {
  it.each([
    ['content', 'cms_session=a; cms_commenter=b; x=c', 'cms_commenter=b'],
    ['content', '__Host-cms_commenter=b;cms_session=a', '__Host-cms_commenter=b'],
    ['content', 'cms_session=a', undefined],
    ['content', 'xcms_commenter=a', undefined],
    ['content', undefined, undefined],
    ['media', 'cms_session=a; cms_commenter=b', undefined],
  ])('of %s from %j are %j', (service, header, cookies) => {
    expect(cookiesFor(service, header)).toBe(cookies);
  });
});
