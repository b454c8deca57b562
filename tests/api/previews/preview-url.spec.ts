import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  describePermissions,
  issuePaths,
  createEntry,
  openSite,
  statusAndCode,
  type Client,
  type PermissionCase,
  type Site,
  type TestEntry,
} from '@quire/testing';

let site: Site;
let admin: Client;
let entry: TestEntry;

beforeAll(async () => {
  site = await openSite();
  await site.collection({
    fields: [
      { slug: 'title', type: 'string' },
      { slug: 'body', type: 'text' },
    ],
  });
  admin = await site.as('admin');
  entry = await createEntry(admin, 'posts', { title: 'Große Pläne' });
});
afterAll(() => site.close());

const path = (id = entry.id) => `/content/posts/${id}/preview-url`;
const preview = async (body?: object, client = admin) => client.post(path(), body);
const nowSeconds = () => Math.floor(Date.now() / 1000);

const permissionCases: PermissionCase[] = [
  {
    permission: 'content:read_drafts',
    minRole: 'contributor',
    scopes: ['content:write'],
    expectedStatus: 200,
    operations: { getPreviewUrl: (client) => preview({}, client) },
  },
];
describePermissions(() => site, permissionCases);

describe('a preview link (contract 9)', () => {
  it('leads to the entry on the site, for an hour, with a token that says what for and until when', async () => {
    const { status, data } = await preview();
    expect(status).toBe(200);
    const url = new URL(data.url, 'http://site.example');
    expect([url.host, url.pathname]).toEqual(['site.example', `/posts/${entry.id}`]);
    const [payload = '', mac] = String(url.searchParams.get('_preview')).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect(claims).toEqual({ cid: `posts:${entry.id}`, exp: data.expiresAt, iat: data.expiresAt - 3_600 });
    expect(Math.abs(claims.iat - nowSeconds())).toBeLessThanOrEqual(60);
    expect(mac).toMatch(/^[\w-]{43}$/);
  });

  it.each([
    [60, 60],
    ['2d', 172_800],
    ['soon', 3_600],
  ])('that is to last for %j lasts for %i seconds', async (expiresIn, seconds) => {
    const before = nowSeconds();
    const { expiresAt } = (await preview({ expiresIn })).data;
    expect(expiresAt - seconds).toBeGreaterThanOrEqual(before);
    expect(expiresAt - seconds).toBeLessThanOrEqual(nowSeconds());
  });

  it.each([['8d'], ['52w'], [1e9]])('that is to last for %j lasts for a week at most', async (expiresIn) => {
    const { expiresAt } = (await preview({ expiresIn })).data;
    expect(expiresAt).toBeLessThanOrEqual(nowSeconds() + 7 * 86_400);
    expect(expiresAt).toBeGreaterThan(nowSeconds() + 6 * 86_400);
  });

  it('has the path that is asked for, its placeholders filled in', async () => {
    const slug = encodeURIComponent((await entry.get()).item.slug as string);
    const { url } = (await preview({ pathPattern: '/{locale}/blog/{slug}?theme=dark' })).data;
    expect(url).toMatch(new RegExp(`^/blog/${slug}\\?theme=dark&_preview=`));
    const translation = await admin.post('/content/posts', {
      data: { title: 'Big plans' },
      locale: 'de',
      translationOf: entry.id,
    });
    const other = await admin.post(path(translation.data.item.id), { pathPattern: '/{locale}/{id}' });
    expect(other.data.url).toMatch(new RegExp(`^/de/${translation.data.item.id}\\?`));
  });

  it.each(['//evil.example/{id}', 'https://evil.example/', 'posts/{id}', '/\\evil.example'])(
    'never leads away from the site: %s',
    async (pathPattern) => {
      const answer = await preview({ pathPattern });
      expect([...statusAndCode(answer), issuePaths(answer)]).toEqual([
        400,
        'VALIDATION_ERROR',
        ['pathPattern'],
      ]);
    },
  );

  it('is for entries that there are', async () => {
    const trashed = await createEntry(admin, 'posts', { title: 'Gone' });
    await trashed.remove();
    for (const id of ['nothing', trashed.id])
      expect(statusAndCode(await admin.post(path(id)))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await admin.post('/content/nothing/x/preview-url'))).toEqual([
      404,
      'COLLECTION_NOT_FOUND',
    ]);
  });
});
