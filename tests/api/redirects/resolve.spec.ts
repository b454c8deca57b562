import { describe, expect, it } from '@jest/globals';
import {
  describePermissions,
  eventually,
  openSite,
  statusAndCode,
  type Client,
  type PermissionCase,
} from '@quire/testing';
import { useRedirects } from './support.js';

const redirects = useRedirects();

const resolve = (path: string, client: Client = redirects.admin) =>
  client.get(`/redirects/resolve?path=${encodeURIComponent(path)}`);
const get = async (id: string) => (await redirects.admin.get(`/redirects/${id}`)).data;

/** Waits for a condition: hits are written every few seconds. */
async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  expect(await eventually(condition)).toBe(true);
}

describe('GET /redirects/resolve (decision 28)', () => {
  it('returns the destination and type of the rule, or null', async () => {
    const { id } = await redirects.createRule('/old', '/new?x=1#part', { type: 308 });
    const { status, data } = await resolve('/old');
    expect([status, data]).toEqual([200, { redirect: { id, destination: '/new?x=1#part', type: 308 } }]);
    expect((await resolve('/other')).data).toEqual({ redirect: null });
  });

  it('returns an empty destination for the types 410 and 451', async () => {
    const { id } = await redirects.createRule('/old', '', { type: 451 });
    expect((await resolve('/old')).data).toEqual({ redirect: { id, destination: '', type: 451 } });
  });

  it('matches percent-encoded and decoded paths, with or without a query', async () => {
    await redirects.createRule('/café menü', '/new');
    await redirects.createRule('/?p=12', '/twelve');
    expect(await redirects.destinationOf('/caf%c3%a9%20men%C3%BC?utm=1')).toBe('/new');
    expect(await redirects.destinationOf('/café menü')).toBe('/new');
    expect(await redirects.destinationOf('/?p=12')).toBe('/twelve');
    expect(await redirects.destinationOf('/?p=13')).toBeNull();
    expect(await redirects.destinationOf('/Café menü')).toBeNull();
  });

  it('fills in placeholders and prefers exact rules and more specific patterns', async () => {
    await redirects.createRule('/blog/[...rest]', '/all/[...rest]');
    await redirects.createRule('/blog/[slug]', '/articles/[slug]');
    await redirects.createRule('/blog/first', '/welcome');
    expect(
      await Promise.all(
        ['/blog/first', '/blog/second', '/blog/a/b', '/blog/', '/blog'].map((path) =>
          redirects.destinationOf(path),
        ),
      ),
    ).toEqual(['/welcome', '/articles/second', '/all/a/b', null, null]);
  });

  it.each(['/old//evil.example', '/old/\\evil.example', '/old/%2Fevil.example'])(
    'returns no destination on another host for %s',
    async (path) => {
      await redirects.createRule('/old/[...rest]', '/[...rest]');
      expect(await redirects.destinationOf(path)).toBeNull();
      expect(await redirects.destinationOf('/old/x')).toBe('/x');
    },
  );

  it('ignores a disabled or deleted rule at once', async () => {
    const { id } = await redirects.createRule('/old', '/new');
    await redirects.admin.put(`/redirects/${id}`, { enabled: false });
    expect(await redirects.destinationOf('/old')).toBeNull();
    await redirects.admin.put(`/redirects/${id}`, { enabled: true });
    expect(await redirects.destinationOf('/old')).toBe('/new');
    await redirects.admin.delete(`/redirects/${id}`);
    expect(await redirects.destinationOf('/old')).toBeNull();
  });

  it('accepts paths of many segments', async () => {
    await redirects.createRule('/[...rest]', '/', { type: 302 });
    await redirects.createRule('/deep/[...rest]', '/new/[...rest]');
    expect(await redirects.destinationOf(`/deep${'/a'.repeat(1_000)}`)).toBe(`/new${'/a'.repeat(1_000)}`);
    expect((await resolve('/'.repeat(2_048))).status).toBe(200);
  });

  it.each(['', 'old', 'https://example.com/old', `/${'x'.repeat(2_048)}`, '/a\u0000'])(
    'rejects the path %j',
    async (path) => expect(statusAndCode(await resolve(path))).toEqual([400, 'VALIDATION_ERROR']),
  );

  it('rejects an invalid ip and a missing path', async () => {
    expect(statusAndCode(await redirects.admin.get('/redirects/resolve?path=/a&ip=nowhere'))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
    expect(statusAndCode(await redirects.admin.get('/redirects/resolve'))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('hits of a redirect', () => {
  it('are all counted, with the time of the last hit', async () => {
    const before = new Date().toISOString();
    const old = await redirects.createRule('/old', '/new');
    const deleted = await redirects.createRule('/gone', '', { type: 410 });
    const idle = await redirects.createRule('/idle', '/new');
    await Promise.all(Array.from({ length: 30 }, (_, index) => resolve(index % 3 ? '/old' : '/gone')));
    await waitUntil(async () => (await get(old.id)).hits === 20 && (await get(deleted.id)).hits === 10);
    const { lastHitAt } = await get(old.id);
    expect(lastHitAt >= before && lastHitAt <= new Date().toISOString()).toBe(true);
    await resolve('/old');
    await waitUntil(async () => (await get(old.id)).hits === 21);
    expect((await get(old.id)).lastHitAt > lastHitAt).toBe(true);
    expect(await get(idle.id)).toMatchObject({ hits: 0, lastHitAt: null });
  });

  it('do not change updatedAt', async () => {
    const { id } = await redirects.createRule('/old', '/new');
    const { updatedAt } = await get(id);
    await resolve('/old');
    await waitUntil(async () => (await get(id)).hits === 1);
    expect((await get(id)).updatedAt).toBe(updatedAt);
  });

  it('of a deleted rule are dropped while other hits are counted', async () => {
    const deleted = await redirects.createRule('/gone', '/new');
    const remaining = await redirects.createRule('/kept', '/new');
    await Promise.all([resolve('/gone'), resolve('/kept')]);
    await redirects.admin.delete(`/redirects/${deleted.id}`);
    await waitUntil(async () => (await get(remaining.id)).hits === 1);
  });

  it('are separate per site', async () => {
    const other = await openSite();
    const otherAdmin = await other.as('admin');
    const ours = await redirects.createRule('/old', '/new');
    const created = (await otherAdmin.post('/redirects', { source: '/old', destination: '/new' })).data;
    await resolve('/old');
    await waitUntil(async () => (await get(ours.id)).hits === 1);
    expect((await otherAdmin.get(`/redirects/${created.id}`)).data.hits).toBe(0);
    await other.close();
  });
});

describe('permissions of GET /redirects/resolve (decision 28)', () => {
  const permissionCases: PermissionCase[] = [
    {
      permission: 'content:read',
      minRole: 'subscriber',
      scopes: ['content:read'],
      expectedStatus: 200,
      operations: { resolveRedirect: (client) => resolve('/old', client) },
    },
  ];
  describePermissions(() => redirects.site, permissionCases);

  it('requires a token unless publicRedirects is set', async () => {
    await redirects.createRule('/old', '/new');
    const anonymous = redirects.site.anonymous();
    expect(statusAndCode(await resolve('/old', anonymous))).toEqual([401, 'NOT_AUTHENTICATED']);
    await redirects.admin.put('/settings', { publicRedirects: true });
    expect((await resolve('/old', anonymous)).data.redirect).toMatchObject({ destination: '/new' });
    expect(statusAndCode(await resolve('/old', redirects.site.withToken('ec_pat_unknown')))).toEqual([
      401,
      'INVALID_TOKEN',
    ]);
    expect(statusAndCode(await anonymous.get('/redirects'))).toEqual([401, 'NOT_AUTHENTICATED']);
    await redirects.admin.put('/settings', { publicRedirects: false });
    expect(statusAndCode(await resolve('/old', anonymous))).toEqual([401, 'NOT_AUTHENTICATED']);
  });
});
