import { describe, expect, it } from '@jest/globals';
import { Cookies } from './cookies.js';

function cookies(header?: string, isSecure = false) {
  const set: string[] = [];
  return { set, cookies: new Cookies(header, isSecure, (text) => set.push(text)) };
}

describe('Cookies', () => {
  it('reads cookies by name', () => {
    const { cookies: read } = cookies('a=1; cms_session=x%20y');
    expect([read.get('a'), read.get('cms_session'), read.get('b')]).toEqual(['1', 'x y', undefined]);
    expect(cookies().cookies.get('a')).toBeUndefined();
  });

  it('sets cookies that scripts and requests of other sites cannot use', () => {
    const { set, cookies: write } = cookies();
    write.set('cms_session', 'abc', { path: '/' });
    expect(set).toEqual(['cms_session=abc; Path=/; HttpOnly; SameSite=Lax']);
  });

  it('sets secure cookies on https, also with a maximum age', () => {
    const { set, cookies: write } = cookies(undefined, true);
    write.set('cms_setup_nonce', 'n', { path: '/_cms/', maxAgeSeconds: 3600, sameSite: 'strict' });
    expect(set).toEqual([
      '__Host-cms_setup_nonce=n; Max-Age=3600; Path=/; HttpOnly; Secure; SameSite=Strict',
    ]);
  });

  it('reads cookies on https under the prefixed name, which no other host can set', () => {
    const { cookies: read } = cookies('cms_admin_csrf=planted; __Host-cms_admin_csrf=own', true);
    expect(read.get('cms_admin_csrf')).toBe('own');
    expect(cookies('cms_admin_csrf=planted', true).cookies.get('cms_admin_csrf')).toBeUndefined();
  });

  it('clears the name of an earlier release if the browser sent it', () => {
    const upgraded = cookies('cms_session=old', true);
    upgraded.cookies.clearUnprefixed('cms_session', { path: '/' });
    expect(upgraded.set).toEqual(['cms_session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax']);
    for (const { set, cookies: others } of [cookies('a=1', true), cookies('cms_session=x')]) {
      others.clearUnprefixed('cms_session', { path: '/' });
      expect(set).toEqual([]);
    }
  });

  it('clears cookies on their path', () => {
    const { set, cookies: write } = cookies();
    write.clear('cms_session', { path: '/' });
    expect(set).toEqual(['cms_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax']);
  });
});
