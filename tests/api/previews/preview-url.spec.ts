import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  describePermissions,
  issuePaths,
  statusAndCode,
  useSite,
  type Client,
  type PermissionCase,
  type TestEntry,
} from '@quire/testing';

const site = useSite();
let admin: Client;
let entry: TestEntry;

beforeAll(async () => {
  await site.collection({
    fields: [
      { slug: 'title', type: 'string' },
      { slug: 'body', type: 'text' },
    ],
  });
  admin = await site.as('admin');
  entry = await createEntry(admin, 'posts', { title: 'Große Pläne' });
});

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

describe('POST /content/{collection}/{id}/preview-url (contract 9)', () => {
  it('returns a URL to the entry with a token for an hour', async () => {
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
  ])('with expiresIn %j is valid for %i seconds', async (expiresIn, seconds) => {
    const before = nowSeconds();
    const { expiresAt } = (await preview({ expiresIn })).data;
    expect(expiresAt - seconds).toBeGreaterThanOrEqual(before);
    expect(expiresAt - seconds).toBeLessThanOrEqual(nowSeconds());
  });

  it.each([['8d'], ['52w'], [1e9]])('with expiresIn %j is valid for a week at most', async (expiresIn) => {
    const { expiresAt } = (await preview({ expiresIn })).data;
    expect(expiresAt).toBeLessThanOrEqual(nowSeconds() + 7 * 86_400);
    expect(expiresAt).toBeGreaterThan(nowSeconds() + 6 * 86_400);
  });

  it('uses pathPattern and fills in its placeholders', async () => {
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
    'rejects the pathPattern %s, which leads to another host',
    async (pathPattern) => {
      const response = await preview({ pathPattern });
      expect([...statusAndCode(response), issuePaths(response)]).toEqual([
        400,
        'VALIDATION_ERROR',
        ['pathPattern'],
      ]);
    },
  );

  it('returns 404 for unknown and trashed entries', async () => {
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
