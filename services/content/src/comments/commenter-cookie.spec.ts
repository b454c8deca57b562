import { describe, expect, it } from '@jest/globals';
import type { Context, Secrets } from '@quire/context';
import type { Cookies } from '@quire/http-server';
import { CommenterCookie } from './commenter-cookie.js';

/** A browser that returns the cookies that it gets. */
function browser(): Cookies {
  const values = new Map<string, string>();
  return {
    get: (name: string) => values.get(name),
    set: (name: string, value: string) => void values.set(name, value),
  } as unknown as Cookies;
}
const contextOf = (id: string) =>
  ({ origin: 'https://a.example', principal: { tenant: { id } } }) as unknown as Context;

describe('CommenterCookie (decision 61)', () => {
  it('is read with each secret of the installation, by the site that has written it', () => {
    const cookies = browser();
    const site = contextOf('site');
    new CommenterCookie(['old']).write(site, cookies, 'c1');
    const read = (secrets: Secrets, ctx = site) => new CommenterCookie(secrets).read(ctx, cookies);
    expect([read(['old']), read(['new', 'old']), read(['new']), read(['old'], contextOf('other'))]).toEqual([
      'c1',
      'c1',
      undefined,
      undefined,
    ]);
  });

  it('is not read when it was changed', () => {
    const cookies = browser();
    const site = contextOf('site');
    const cookie = new CommenterCookie(['secret']);
    cookie.write(site, cookies, 'c1');
    const name = '__Host-cms_commenter';
    cookies.set(name, (cookies.get(name) ?? '').replace('c1', 'c2'), {} as never);
    expect(cookie.read(site, cookies)).toBeUndefined();
  });
});
