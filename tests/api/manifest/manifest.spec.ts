import { beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;
beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection({
    fields: [
      { slug: 'title', type: 'string', required: true },
      { slug: 'colour', type: 'select', validation: { options: ['red', 'blue'] } },
    ],
  });
});

const manifest = async () => (await admin.get('/manifest')).data;

describe('GET /manifest', () => {
  it('returns collections, fields, taxonomies, sign-in methods and locales', async () => {
    const { status, data } = await admin.get('/manifest');
    expect(status).toBe(200);
    expect(data).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      hash: expect.any(String),
      collections: {
        posts: {
          label: expect.any(String),
          labelSingular: expect.any(String),
          supports: expect.arrayContaining(['drafts', 'revisions']),
          routable: expect.any(Boolean),
          fields: {
            title: { kind: 'string', label: expect.any(String), required: true },
            colour: {
              kind: 'select',
              label: expect.any(String),
              required: false,
              options: [
                { value: 'red', label: 'red' },
                { value: 'blue', label: 'blue' },
              ],
            },
          },
        },
      },
      plugins: {},
      taxonomies: [],
      authMode: 'passkey',
      signupEnabled: false,
      contentLocale: { defaultLocale: 'en', implicit: true },
    });
  });

  it('returns taxonomies and the title of the site', async () => {
    await admin.post('/taxonomies', {
      name: 'genre',
      label: 'Genres',
      hierarchical: true,
      collections: ['posts'],
    });
    await admin.put('/settings', { title: 'My site' });
    expect(await manifest()).toMatchObject({
      taxonomies: [{ name: 'genre', label: 'Genres', hierarchical: true, collections: ['posts'] }],
      admin: { siteName: 'My site' },
    });
  });

  it('returns 304 for a matching If-None-Match', async () => {
    const first = await admin.get('/manifest');
    const etag = String(first.headers.get('etag'));
    const poll = () => admin.get('/manifest', { headers: { 'if-none-match': etag } });
    expect((await poll()).status).toBe(304);
    await site.collection({ slug: 'pages', fields: [] });
    const changed = await poll();
    expect([changed.status, Object.keys(changed.data.collections).sort()]).toEqual([200, ['pages', 'posts']]);
    expect(changed.data.hash).not.toBe(first.data.hash);
  });

  it('returns a hash that changes only with the schema', async () => {
    const { hash } = await manifest();
    await admin.put('/settings', { title: 'Another title' });
    await admin.post('/content/posts', { data: { title: 'An entry' } });
    expect((await manifest()).hash).toBe(hash);
    await admin.put('/schema/collections/posts/fields/title', { label: 'Headline' });
    expect((await manifest()).hash).not.toBe(hash);
  });

  it('returns 200 to all users and to tokens with the scope admin', async () => {
    expect((await (await site.as('subscriber')).get('/manifest')).status).toBe(200);
    expect((await (await site.signedIn('subscriber')).get('/manifest')).status).toBe(200);
    expect(statusAndCode(await (await site.withScopes('admin', ['content:read'])).get('/manifest'))).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
    ]);
    expect(statusAndCode(await site.anonymous().get('/manifest'))).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('returns nothing of another site', async () => {
    const other = await openSite();
    try {
      expect((await (await other.as('admin')).get('/manifest')).data.collections).toEqual({});
    } finally {
      await other.close();
    }
  });
});
