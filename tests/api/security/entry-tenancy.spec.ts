import { beforeAll, describe, expect, it } from '@jest/globals';
import { statusAndCode, useSite, type ApiResponse, type Client, type Site } from '@quire/testing';

const future = '2099-01-01T00:00:00Z';
/** An id of an entry on both sites, and one that exists only on the first. */
const sharedId = '01ARZ3NDEKTSV4RRFFQ69G5FAA';
const privateId = '01ARZ3NDEKTSV4RRFFQ69G5FAB';

const site = useSite();
const other = useSite();
let admin: Client;
let otherAdmin: Client;

beforeAll(async () => {
  [admin, otherAdmin] = await Promise.all([site.as('admin'), other.as('admin')]);
  for (const one of [site, other]) {
    await one.collection();
    await giveCollectionId(one, '01ARZ3NDEKTSV4RRFFQ69G5FCC');
  }
  await entry(site, admin, sharedId, 'Ours');
  await entry(other, otherAdmin, sharedId, 'Other');
  await entry(site, admin, privateId, 'Private');
});

/** Gives the collections of both sites the same id, so that ids do not distinguish the sites. */
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

const operations: [string, (client: Client, idOrSlug: string) => Promise<ApiResponse>][] = [
  ['getContent', (client, idOrSlug) => client.get(`/content/posts/${idOrSlug}`)],
  [
    'updateContent',
    (client, idOrSlug) => client.put(`/content/posts/${idOrSlug}`, { data: { body: 'taken over' } }),
  ],
  ['publishContent', (client, idOrSlug) => client.post(`/content/posts/${idOrSlug}/publish`)],
  ['unpublishContent', (client, idOrSlug) => client.post(`/content/posts/${idOrSlug}/unpublish`)],
  [
    'scheduleContent',
    (client, idOrSlug) => client.post(`/content/posts/${idOrSlug}/schedule`, { scheduledAt: future }),
  ],
  ['unscheduleContent', (client, idOrSlug) => client.delete(`/content/posts/${idOrSlug}/schedule`)],
  ['duplicateContent', (client, idOrSlug) => client.post(`/content/posts/${idOrSlug}/duplicate`)],
  ['discardDraft', (client, idOrSlug) => client.post(`/content/posts/${idOrSlug}/discard-draft`)],
  ['compareContent', (client, idOrSlug) => client.get(`/content/posts/${idOrSlug}/compare`)],
  ['getContentTranslations', (client, idOrSlug) => client.get(`/content/posts/${idOrSlug}/translations`)],
  ['listRevisions', (client, idOrSlug) => client.get(`/content/posts/${idOrSlug}/revisions`)],
  ['getEntryLock', (client, idOrSlug) => client.get(`/content/posts/${idOrSlug}/lock`)],
  [
    'acquireEntryLock',
    (client, idOrSlug) => client.post(`/content/posts/${idOrSlug}/lock`, { takeover: true }),
  ],
  ['releaseEntryLock', (client, idOrSlug) => client.delete(`/content/posts/${idOrSlug}/lock`)],
  ['getPreviewUrl', (client, idOrSlug) => client.post(`/content/posts/${idOrSlug}/preview-url`)],
  [
    'createContent as a translation',
    (client, idOrSlug) => client.post('/content/posts', { data: {}, translationOf: idOrSlug, locale: 'de' }),
  ],
  ['deleteContent', (client, idOrSlug) => client.delete(`/content/posts/${idOrSlug}`)],
  ['restoreContent', (client, idOrSlug) => client.post(`/content/posts/${idOrSlug}/restore`)],
  ['permanentDeleteContent', (client, idOrSlug) => client.delete(`/content/posts/${idOrSlug}/permanent`)],
];

/** All stored rows of a site's entries, as text. */
async function rowsOf(at: Site): Promise<string> {
  const entries = await at.sql('SELECT * FROM content_posts ORDER BY id');
  const revisions = await at.sql('SELECT * FROM revisions ORDER BY id');
  const leases = await at.sql('SELECT * FROM entry_locks ORDER BY entry_id');
  return JSON.stringify([entries, revisions, leases]);
}

describe('entries of two sites', () => {
  it.each(operations)("does not see another tenant's rows: %s", async (_name, run) => {
    const before = await rowsOf(site);
    for (const idOrSlug of [privateId, 'private'])
      expect(statusAndCode(await run(otherAdmin, idOrSlug))).toEqual([404, 'NOT_FOUND']);
    expect(await rowsOf(site)).toBe(before);
  });
  it.each(operations.slice(0, 15))(
    'changes only the own row when both sites have the same id and slug: %s',
    async (_name, run) => {
      const before = await rowsOf(site);
      for (const idOrSlug of [sharedId, 'shared'])
        expect([200, 201]).toContain((await run(otherAdmin, idOrSlug)).status);
      expect(await rowsOf(site)).toBe(before);
      expect((await admin.get(`/content/posts/${sharedId}`)).data.item.data).toMatchObject({
        title: 'Ours',
        body: 'Ours',
      });
      expect((await otherAdmin.get(`/content/posts/${sharedId}`)).data.item.data.title).toBe('Other');
    },
  );
  it('lists only own entries, authors, trash and revisions', async () => {
    const titles = async (client: Client, path: string) =>
      ((await client.get(path)).data.items as { data: { title: string } }[]).map(({ data }) => data.title);
    expect(new Set(await titles(admin, '/content/posts'))).toEqual(new Set(['Ours', 'Private']));
    expect(
      (await titles(otherAdmin, '/content/posts?limit=100')).every((title) => title.startsWith('Other')),
    ).toBe(true);
    expect(await titles(otherAdmin, '/content/posts?q=private')).toEqual([]);
    await admin.delete(`/content/posts/${privateId}`);
    expect(await titles(otherAdmin, '/content/posts/trash')).toEqual([]);
    await admin.post(`/content/posts/${privateId}/restore`);
    const authors = (await otherAdmin.get('/content/posts/authors')).data.items as { email: string }[];
    expect(authors.map(({ email }) => email)).toEqual([`admin@${other.tenant}.example`]);
  });
  it("does not return another tenant's revision", async () => {
    const [revision] = (await admin.get(`/content/posts/${privateId}/revisions`)).data.items as {
      id: string;
    }[];
    const path = `/revisions/${revision?.id ?? ''}`;
    expect((await admin.get(path)).status).toBe(200);
    expect(statusAndCode(await otherAdmin.get(path))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await otherAdmin.post(`${path}/restore`))).toEqual([404, 'NOT_FOUND']);
  });
  it('keeps concurrent requests of both sites apart', async () => {
    const responses = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const [client, title] =
          index % 2 === 0 ? ([admin, 'Ours'] as const) : ([otherAdmin, 'Other'] as const);
        return [title, (await client.get(`/content/posts/${sharedId}`)).data.item.data.title];
      }),
    );
    for (const [expected, title] of responses) expect(title).toBe(expected);
  });
});

describe('token', () => {
  it('of one site returns 401 INVALID_TOKEN on another', async () => {
    const outsider = other.withToken(admin.token ?? '');
    for (const [, run] of operations)
      expect(statusAndCode(await run(outsider, sharedId))).toEqual([401, 'INVALID_TOKEN']);
    for (const path of ['/content/posts', '/content/posts/trash', '/content/posts/authors', '/revisions/x']) {
      expect(statusAndCode(await outsider.get(path))).toEqual([401, 'INVALID_TOKEN']);
    }
    expect(statusAndCode(await outsider.post('/content/posts', { data: {} }))).toEqual([
      401,
      'INVALID_TOKEN',
    ]);
  });
});

describe('unknown host', () => {
  it.each(['nobody.example', 'localhost', '127.0.0.1'])(
    'returns 404 NOT_FOUND without further details: %s',
    async (host) => {
      const response = await admin.get('/content/posts', { headers: { host } });
      expect(statusAndCode(response)).toEqual([404, 'NOT_FOUND']);
      expect(response.body).toEqual({
        success: false,
        error: { code: 'NOT_FOUND', message: expect.any(String) },
      });
    },
  );
  it('returns 404 despite headers with the host of a site', async () => {
    for (const name of ['x-forwarded-host', 'forwarded', 'x-host', 'x-original-host']) {
      const headers = {
        host: 'nobody.example',
        [name]: name === 'forwarded' ? `host=${site.host}` : site.host,
      };
      expect((await admin.get('/content/posts', { headers })).status).toBe(404);
    }
  });
});
