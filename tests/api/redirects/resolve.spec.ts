import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  describePermissions,
  eventually,
  openSite,
  statusAndCode,
  type Client,
  type PermissionCase,
  type Site,
} from '@quire/testing';
import { rulesOf, type Rules } from './support/rules.js';

let site: Site;
let admin: Client;
let rules: Rules;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
  rules = rulesOf(admin);
});
afterEach(async () => {
  await site.sql('DELETE FROM redirects');
});
afterAll(() => site.close());

const resolve = (path: string, client: Client = admin) =>
  client.get(`/redirects/resolve?path=${encodeURIComponent(path)}`);
const get = async (id: string) => (await admin.get(`/redirects/${id}`)).data;

/** Hits are written every few seconds. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  expect(await eventually(isSo)).toBe(true);
}

describe('resolving a path (decision 28)', () => {
  it('answers the target and the type of the rule, or null', async () => {
    const { id } = await rules.make('/old', '/new?x=1#part', { type: 308 });
    const { status, data } = await resolve('/old');
    expect([status, data]).toEqual([200, { redirect: { id, destination: '/new?x=1#part', type: 308 } }]);
    expect((await resolve('/other')).data).toEqual({ redirect: null });
  });

  it('answers gone and withheld without a destination', async () => {
    const { id } = await rules.make('/old', '', { type: 451 });
    expect((await resolve('/old')).data).toEqual({ redirect: { id, destination: '', type: 451 } });
  });

  it('takes the path as browsers send it, with or without its query', async () => {
    await rules.make('/café menü', '/new');
    await rules.make('/?p=12', '/twelve');
    expect(await rules.destinationOf('/caf%c3%a9%20men%C3%BC?utm=1')).toBe('/new');
    expect(await rules.destinationOf('/café menü')).toBe('/new');
    expect(await rules.destinationOf('/?p=12')).toBe('/twelve');
    expect(await rules.destinationOf('/?p=13')).toBeNull();
    expect(await rules.destinationOf('/Café menü')).toBeNull();
  });

  it('fills in placeholders, and prefers the exact rule and the more particular pattern', async () => {
    await rules.make('/blog/[...rest]', '/all/[...rest]');
    await rules.make('/blog/[slug]', '/articles/[slug]');
    await rules.make('/blog/first', '/welcome');
    expect(
      await Promise.all(
        ['/blog/first', '/blog/second', '/blog/a/b', '/blog/', '/blog'].map(rules.destinationOf),
      ),
    ).toEqual(['/welcome', '/articles/second', '/all/a/b', null, null]);
  });

  it.each(['/old//evil.example', '/old/\\evil.example', '/old/%2Fevil.example'])(
    'never leads %s off the site',
    async (path) => {
      await rules.make('/old/[...rest]', '/[...rest]');
      expect(await rules.destinationOf(path)).toBeNull();
      expect(await rules.destinationOf('/old/x')).toBe('/x');
    },
  );

  it('does not answer by a rule that is off, from the moment it is', async () => {
    const { id } = await rules.make('/old', '/new');
    await admin.put(`/redirects/${id}`, { enabled: false });
    expect(await rules.destinationOf('/old')).toBeNull();
    await admin.put(`/redirects/${id}`, { enabled: true });
    expect(await rules.destinationOf('/old')).toBe('/new');
    await admin.delete(`/redirects/${id}`);
    expect(await rules.destinationOf('/old')).toBeNull();
  });

  it('takes paths of many segments', async () => {
    await rules.make('/[...rest]', '/', { type: 302 });
    await rules.make('/deep/[...rest]', '/new/[...rest]');
    expect(await rules.destinationOf(`/deep${'/a'.repeat(1_000)}`)).toBe(`/new${'/a'.repeat(1_000)}`);
    expect((await resolve('/'.repeat(2_048))).status).toBe(200);
  });

  it.each(['', 'old', 'https://example.com/old', `/${'x'.repeat(2_048)}`, '/a\u0000'])(
    'refuses the path %j',
    async (path) => expect(statusAndCode(await resolve(path))).toEqual([400, 'VALIDATION_ERROR']),
  );

  it('refuses an address that is none, and a missing path', async () => {
    expect(statusAndCode(await admin.get('/redirects/resolve?path=/a&ip=nowhere'))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
    expect(statusAndCode(await admin.get('/redirects/resolve'))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('hits of a redirect', () => {
  it('are counted, all of them, with the time of the last', async () => {
    const before = new Date().toISOString();
    const old = await rules.make('/old', '/new');
    const gone = await rules.make('/gone', '', { type: 410 });
    const idle = await rules.make('/idle', '/new');
    await Promise.all(Array.from({ length: 30 }, (_, index) => resolve(index % 3 ? '/old' : '/gone')));
    await until(async () => (await get(old.id)).hits === 20 && (await get(gone.id)).hits === 10);
    const { lastHitAt } = await get(old.id);
    expect(lastHitAt >= before && lastHitAt <= new Date().toISOString()).toBe(true);
    await resolve('/old');
    await until(async () => (await get(old.id)).hits === 21);
    expect((await get(old.id)).lastHitAt > lastHitAt).toBe(true);
    expect(await get(idle.id)).toMatchObject({ hits: 0, lastHitAt: null });
  });

  it('do not change when the rule was last updated', async () => {
    const { id } = await rules.make('/old', '/new');
    const { updatedAt } = await get(id);
    await resolve('/old');
    await until(async () => (await get(id)).hits === 1);
    expect((await get(id)).updatedAt).toBe(updatedAt);
  });

  it('of a rule that is deleted before they are written are forgotten; others still count', async () => {
    const gone = await rules.make('/gone', '/new');
    const kept = await rules.make('/kept', '/new');
    await Promise.all([resolve('/gone'), resolve('/kept')]);
    await admin.delete(`/redirects/${gone.id}`);
    await until(async () => (await get(kept.id)).hits === 1);
  });

  it('are separate per site', async () => {
    const neighbour = await openSite();
    const theirs = await neighbour.as('admin');
    const ours = await rules.make('/old', '/new');
    const made = (await theirs.post('/redirects', { source: '/old', destination: '/new' })).data;
    await resolve('/old');
    await until(async () => (await get(ours.id)).hits === 1);
    expect((await theirs.get(`/redirects/${made.id}`)).data.hits).toBe(0);
    await neighbour.close();
  });
});

describe('permissions of resolveRedirect (decision 28)', () => {
  const permissionCases: PermissionCase[] = [
    {
      permission: 'content:read',
      minRole: 'subscriber',
      scopes: ['content:read'],
      expectedStatus: 200,
      operations: { resolveRedirect: (client) => resolve('/old', client) },
    },
  ];
  describePermissions(() => site, permissionCases);

  it('requires a token unless publicRedirects is set', async () => {
    await rules.make('/old', '/new');
    const anybody = site.anonymous();
    expect(statusAndCode(await resolve('/old', anybody))).toEqual([401, 'NOT_AUTHENTICATED']);
    await admin.put('/settings', { publicRedirects: true });
    expect((await resolve('/old', anybody)).data.redirect).toMatchObject({ destination: '/new' });
    expect(statusAndCode(await resolve('/old', site.withToken('ec_pat_unknown')))).toEqual([
      401,
      'INVALID_TOKEN',
    ]);
    expect(statusAndCode(await anybody.get('/redirects'))).toEqual([401, 'NOT_AUTHENTICATED']);
    await admin.put('/settings', { publicRedirects: false });
    expect(statusAndCode(await resolve('/old', anybody))).toEqual([401, 'NOT_AUTHENTICATED']);
  });
});
