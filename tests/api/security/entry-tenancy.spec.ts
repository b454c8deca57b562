import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, statusAndCode, type ApiResponse, type Client, type Site } from '@quire/testing';

const future = '2099-01-01T00:00:00Z';
/** One id that an entry of each site has, and one that only the first site's has. */
const sharedId = '01ARZ3NDEKTSV4RRFFQ69G5FAA';
const privateId = '01ARZ3NDEKTSV4RRFFQ69G5FAB';

let site: Site;
let neighbour: Site;
let admin: Client;
let neighbourAdmin: Client;

beforeAll(async () => {
  [site, neighbour] = await Promise.all([openSite(), openSite()]);
  [admin, neighbourAdmin] = await Promise.all([site.as('admin'), neighbour.as('admin')]);
  for (const one of [site, neighbour]) {
    await one.collection();
    await giveCollectionId(one, '01ARZ3NDEKTSV4RRFFQ69G5FCC');
  }
  await entry(site, admin, sharedId, 'Ours');
  await entry(neighbour, neighbourAdmin, sharedId, 'Theirs');
  await entry(site, admin, privateId, 'Private');
});
afterAll(() => Promise.all([site.close(), neighbour.close()]));

/** Lets the collections of both sites have one id too: as far as ids can tell, the sites are one. */
async function giveCollectionId(at: Site, id: string): Promise<void> {
  await at.sql('ALTER TABLE fields DROP CONSTRAINT fields_collection_id_fkey');
  await at.sql('UPDATE fields SET collection_id = $1', [id]);
  await at.sql('UPDATE collections SET id = $1', [id]);
}

async function entry(at: Site, client: Client, id: string, title: string): Promise<void> {
  const { item } = (
    await client.post('/content/posts', { data: { title }, slug: title === 'Private' ? 'private' : 'shared' })
  ).data;
  await client.put(`/content/posts/${item.id}`, { data: { body: title } });
  await client.post(`/content/posts/${item.id}/publish`);
  await at.sql('UPDATE content_posts SET id = $2, _translation_group = $2 WHERE id = $1', [item.id, id]);
  await at.sql('UPDATE revisions SET entry_id = $2 WHERE entry_id = $1', [item.id, id]);
}

const operations: [string, (client: Client, address: string) => Promise<ApiResponse>][] = [
  ['getContent', (client, address) => client.get(`/content/posts/${address}`)],
  [
    'updateContent',
    (client, address) => client.put(`/content/posts/${address}`, { data: { body: 'taken over' } }),
  ],
  ['publishContent', (client, address) => client.post(`/content/posts/${address}/publish`)],
  ['unpublishContent', (client, address) => client.post(`/content/posts/${address}/unpublish`)],
  [
    'scheduleContent',
    (client, address) => client.post(`/content/posts/${address}/schedule`, { scheduledAt: future }),
  ],
  ['unscheduleContent', (client, address) => client.delete(`/content/posts/${address}/schedule`)],
  ['duplicateContent', (client, address) => client.post(`/content/posts/${address}/duplicate`)],
  ['discardDraft', (client, address) => client.post(`/content/posts/${address}/discard-draft`)],
  ['compareContent', (client, address) => client.get(`/content/posts/${address}/compare`)],
  ['getContentTranslations', (client, address) => client.get(`/content/posts/${address}/translations`)],
  ['listRevisions', (client, address) => client.get(`/content/posts/${address}/revisions`)],
  ['getEntryLock', (client, address) => client.get(`/content/posts/${address}/lock`)],
  [
    'acquireEntryLock',
    (client, address) => client.post(`/content/posts/${address}/lock`, { takeover: true }),
  ],
  ['releaseEntryLock', (client, address) => client.delete(`/content/posts/${address}/lock`)],
  ['a preview link', (client, address) => client.post(`/content/posts/${address}/preview-url`)],
  [
    'createContent as a translation',
    (client, address) => client.post('/content/posts', { data: {}, translationOf: address, locale: 'de' }),
  ],
  ['deleteContent', (client, address) => client.delete(`/content/posts/${address}`)],
  ['restoreContent', (client, address) => client.post(`/content/posts/${address}/restore`)],
  ['permanentDeleteContent', (client, address) => client.delete(`/content/posts/${address}/permanent`)],
];

/** All that a site keeps of its entries. */
async function rowsOf(at: Site): Promise<string> {
  const entries = await at.sql('SELECT * FROM content_posts ORDER BY id');
  const revisions = await at.sql('SELECT * FROM revisions ORDER BY id');
  const leases = await at.sql('SELECT * FROM entry_locks ORDER BY entry_id');
  return JSON.stringify([entries, revisions, leases]);
}

describe('a site', () => {
  it.each(operations)("does not see another tenant's rows: %s", async (_name, run) => {
    const before = await rowsOf(site);
    for (const address of [privateId, 'private'])
      expect(statusAndCode(await run(neighbourAdmin, address))).toEqual([404, 'NOT_FOUND']);
    expect(await rowsOf(site)).toBe(before);
  });
  it.each(operations.slice(0, 15))(
    'changes its own row alone when the other has one of the same id and slug: %s',
    async (_name, run) => {
      const before = await rowsOf(site);
      for (const address of [sharedId, 'shared'])
        expect([200, 201]).toContain((await run(neighbourAdmin, address)).status);
      expect(await rowsOf(site)).toBe(before);
      expect((await admin.get(`/content/posts/${sharedId}`)).data.item.data).toMatchObject({
        title: 'Ours',
        body: 'Ours',
      });
      expect((await neighbourAdmin.get(`/content/posts/${sharedId}`)).data.item.data.title).toBe('Theirs');
    },
  );
  it('lists its own entries, authors, trash and revisions alone', async () => {
    const titles = async (client: Client, path: string) =>
      ((await client.get(path)).data.items as { data: { title: string } }[]).map(({ data }) => data.title);
    expect(new Set(await titles(admin, '/content/posts'))).toEqual(new Set(['Ours', 'Private']));
    expect(
      (await titles(neighbourAdmin, '/content/posts?limit=100')).every((title) => title.startsWith('Theirs')),
    ).toBe(true);
    expect(await titles(neighbourAdmin, '/content/posts?q=private')).toEqual([]);
    await admin.delete(`/content/posts/${privateId}`);
    expect(await titles(neighbourAdmin, '/content/posts/trash')).toEqual([]);
    await admin.post(`/content/posts/${privateId}/restore`);
    const authors = (await neighbourAdmin.get('/content/posts/authors')).data.items as { email: string }[];
    expect(authors.map(({ email }) => email)).toEqual([`admin@${neighbour.tenant}.example`]);
  });
  it("does not return another tenant's revision", async () => {
    const [revision] = (await admin.get(`/content/posts/${privateId}/revisions`)).data.items as {
      id: string;
    }[];
    const path = `/revisions/${revision?.id ?? ''}`;
    expect((await admin.get(path)).status).toBe(200);
    expect(statusAndCode(await neighbourAdmin.get(path))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await neighbourAdmin.post(`${path}/restore`))).toEqual([404, 'NOT_FOUND']);
  });
  it('keeps both apart when both are asked at once, over the same connections', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const [client, title] =
          index % 2 === 0 ? ([admin, 'Ours'] as const) : ([neighbourAdmin, 'Theirs'] as const);
        return [title, (await client.get(`/content/posts/${sharedId}`)).data.item.data.title];
      }),
    );
    for (const [expected, seen] of answers) expect(seen).toBe(expected);
  });
});

describe('a token', () => {
  it('of one site is 401 INVALID_TOKEN on another', async () => {
    const stranger = neighbour.withToken(admin.token ?? '');
    for (const [, run] of operations)
      expect(statusAndCode(await run(stranger, sharedId))).toEqual([401, 'INVALID_TOKEN']);
    for (const path of ['/content/posts', '/content/posts/trash', '/content/posts/authors', '/revisions/x']) {
      expect(statusAndCode(await stranger.get(path))).toEqual([401, 'INVALID_TOKEN']);
    }
    expect(statusAndCode(await stranger.post('/content/posts', { data: {} }))).toEqual([
      401,
      'INVALID_TOKEN',
    ]);
  });
});

describe('an unknown host', () => {
  it.each(['nobody.example', 'localhost', '127.0.0.1'])(
    'is 404 NOT_FOUND in the envelope and nothing more: %s',
    async (host) => {
      const answer = await admin.get('/content/posts', { headers: { host } });
      expect(statusAndCode(answer)).toEqual([404, 'NOT_FOUND']);
      expect(answer.body).toEqual({
        success: false,
        error: { code: 'NOT_FOUND', message: expect.any(String) },
      });
    },
  );
  it('is not overruled by headers that name a site', async () => {
    for (const name of ['x-forwarded-host', 'forwarded', 'x-host', 'x-original-host']) {
      const headers = {
        host: 'nobody.example',
        [name]: name === 'forwarded' ? `host=${site.host}` : site.host,
      };
      expect((await admin.get('/content/posts', { headers })).status).toBe(404);
    }
  });
});
