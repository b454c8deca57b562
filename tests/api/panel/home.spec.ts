import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createEntry, openSite, statusAndCode, useSite, type ApiResponse, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;
let author: Client;
let posts: string;
let pages: string;
let count = 0;
beforeAll(async () => {
  [admin, author] = [await site.as('admin'), await site.as('author')];
});
beforeEach(async () => {
  for (const slug of [posts, pages]) if (slug) await admin.delete(`/schema/collections/${slug}?force=true`);
  count += 1;
  [posts, pages] = [`posts_${count}`, `pages_${count}`];
  await site.collection({ slug: posts });
  await site.collection({ slug: pages });
});

const home = async (client = author) => (await client.get('/panel/home')).data;
const titles = (entries: ApiResponse['data']) => entries.map(({ title }: { title: string | null }) => title);
const create = (collection: string, title: string, client = admin) =>
  createEntry(client, collection, { title });
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

describe('GET /panel/home', () => {
  it('lists what the caller and what anybody edited last, of all collections, by the title of the draft', async () => {
    const own = await create(posts, 'Own', author);
    const other = await create(pages, 'Other');
    await other.publish();
    await create(posts, 'Third');
    await other.put({ data: { title: 'Other, changed' } });
    const { mine, recent } = await home();
    expect(titles(mine)).toEqual(['Own']);
    expect(titles(recent)).toEqual(['Other, changed', 'Third', 'Own']);
    expect(recent[0]).toMatchObject({
      id: other.id,
      collection: pages,
      status: 'published',
      isChanged: true,
      isOverdue: false,
      locale: 'en',
      scheduledAt: null,
    });
    expect(Date.parse(recent[0].editedAt)).toBeGreaterThan(Date.parse(recent[0].publishedAt));
    await own.remove();
    expect((await home()).mine).toEqual([]);
  });

  it('lists the publications of the next 14 days, and those that are overdue, in their order', async () => {
    const [later, soon, far, late] = [
      await create(posts, 'later'),
      await create(pages, 'soon'),
      await create(posts, 'far'),
      await create(posts, 'late'),
    ];
    await later.schedule(inDays(13));
    await soon.schedule(inDays(1));
    await far.schedule(inDays(15));
    await late.schedule(inDays(100));
    // As of a worker that has not run for two minutes; the schedule itself stays in the far future.
    await site.sql(
      `UPDATE content_${posts} SET scheduled_at = now() - interval '2 minutes' WHERE id = '${late.id}'`,
    );
    const { upcoming, overdue } = await home();
    expect(titles(upcoming)).toEqual(['soon', 'later']);
    expect(titles(overdue)).toEqual(['late']);
    expect(overdue[0].isOverdue).toBe(true);
  });

  it('lists at most eight entries, and none of a site without collections', async () => {
    for (let number = 1; number <= 9; number += 1) await create(posts, String(number));
    expect(titles((await home()).recent)).toEqual(['9', '8', '7', '6', '5', '4', '3', '2']);
    const other = await openSite();
    try {
      expect(await home(await other.as('admin'))).toEqual({
        mine: [],
        recent: [],
        upcoming: [],
        overdue: [],
      });
    } finally {
      await other.close();
    }
  });

  it('needs the permission to read drafts, and for tokens the scope admin', async () => {
    const outcome = async (client: Client) => statusAndCode(await client.get('/panel/home'));
    expect((await (await site.as('contributor')).get('/panel/home')).status).toBe(200);
    expect(await outcome(await site.as('subscriber'))).toEqual([403, 'FORBIDDEN']);
    expect(await outcome(await site.withScopes('admin', ['content:read']))).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
    ]);
    expect(await outcome(site.anonymous())).toEqual([401, 'NOT_AUTHENTICATED']);
  });
});
