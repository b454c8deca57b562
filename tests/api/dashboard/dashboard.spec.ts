import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  createImage,
  describePermissions,
  eventuallyPasses,
  itemOf,
  openSite,
  uploadFile,
  useSite,
  type Client,
  type PermissionCase,
  type TestEntry,
} from '@quire/testing';

const site = useSite();
let admin: Client;
let live: TestEntry;
let draft: TestEntry;
beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection();
  await site.collection({ slug: 'notes', fields: [] });
  live = await createEntry(admin, 'posts', { title: 'Published one' });
  await live.publish();
  draft = await createEntry(admin, 'posts', { title: 'Only a draft' });
});

const dashboard = async (client = admin) => (await client.get('/dashboard')).data;
const countsOf = async (slug: string, client = admin) =>
  (await dashboard(client)).collections.find((one: { slug: string }) => one.slug === slug);
const inAWeek = () => new Date(Date.now() + 7 * 86_400_000).toISOString();

const permissionCases: PermissionCase[] = [
  {
    permission: 'content:read',
    minRole: 'subscriber',
    scopes: ['admin'],
    expectedStatus: 200,
    operations: { getDashboard: (client) => client.get('/dashboard') },
  },
];
describePermissions(() => site, permissionCases);

describe('GET /dashboard', () => {
  it('returns the numbers of entries outside the trash by collection, of media items and of users', async () => {
    const trashed = await createEntry(admin, 'posts', { title: 'Trashed' });
    await trashed.remove();
    await uploadFile(admin, { bytes: await createImage(), type: 'image/png' });
    const { collections, mediaCount, userCount } = await dashboard();
    const [users] = await site.sql<{ count: number }>('SELECT count(*)::integer AS count FROM users');
    expect(collections).toEqual([
      {
        slug: 'notes',
        label: expect.any(String),
        total: 0,
        published: 0,
        draft: 0,
        scheduled: 0,
        overdueScheduled: 0,
      },
      {
        slug: 'posts',
        label: expect.any(String),
        total: 2,
        published: 1,
        draft: 1,
        scheduled: 0,
        overdueScheduled: 0,
      },
    ]);
    expect([mediaCount, userCount]).toEqual([1, users?.count]);
  });

  it('counts scheduled entries, also published ones with a pending schedule', async () => {
    const scheduled = await createEntry(admin, 'posts', { title: 'Waiting' });
    await admin.post(`${scheduled.path}/schedule`, { scheduledAt: inAWeek() });
    await live.put({ data: { title: 'Staged' } });
    await admin.post(`${live.path}/schedule`, { scheduledAt: inAWeek() });
    expect(await countsOf('posts')).toMatchObject({ total: 3, published: 1, draft: 1, scheduled: 2 });
    await site.sql(`UPDATE content_posts SET scheduled_at = now() - interval '1 hour' WHERE id = $1`, [
      scheduled.id,
    ]);
    expect(await countsOf('posts')).toMatchObject({ scheduled: 2, overdueScheduled: 1 });
  });

  it('returns the 10 entries of all collections that changed last, newest first', async () => {
    const note = itemOf(await admin.post('/content/notes', { data: {}, slug: 'without-title' }));
    for (let count = 1; count <= 10; count += 1)
      await createEntry(admin, 'posts', { title: `Recent ${count}` });
    const { recentItems } = await dashboard();
    expect(recentItems.map(({ title }: { title: string }) => title)).toEqual(
      Array.from({ length: 10 }, (_, index) => `Recent ${10 - index}`),
    );
    await site.sql(`UPDATE content_notes SET updated_at = now() + interval '1 second'`);
    expect((await dashboard()).recentItems[0]).toEqual({
      id: note.id,
      collection: 'notes',
      collectionLabel: expect.any(String),
      title: 'without-title',
      slug: 'without-title',
      status: 'draft',
      updatedAt: expect.stringMatching(/Z$/),
      authorId: expect.any(String),
    });
  });

  it('returns only published entries to users who may not read drafts', async () => {
    const subscriber = await site.as('subscriber');
    const { collections, recentItems } = await dashboard(subscriber);
    expect(collections).toContainEqual(
      expect.objectContaining({
        slug: 'posts',
        total: 1,
        published: 1,
        draft: 0,
        scheduled: 0,
        overdueScheduled: 0,
      }),
    );
    expect(recentItems.map(({ id, title }: { id: string; title: string }) => [id, title])).toEqual([
      [live.id, 'Published one'],
    ]);
    expect(JSON.stringify(recentItems)).not.toContain(draft.id);
  });

  it('returns the health of scheduled publishing', async () => {
    await eventuallyPasses(
      async () => (await dashboard()).schedulerHealth,
      (health) => expect(health).toEqual({ status: 'healthy', lastCompletedAt: expect.stringMatching(/Z$/) }),
    );
  });

  it('returns nothing of another site', async () => {
    const other = await openSite();
    try {
      expect(await dashboard(await other.as('admin'))).toMatchObject({
        collections: [],
        mediaCount: 0,
        recentItems: [],
      });
    } finally {
      await other.close();
    }
  });
});
