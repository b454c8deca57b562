import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, itemOf, type TestRole } from '@quire/testing';
import { useSearchableSite, titlesOf } from './support.js';

const searchSite = useSearchableSite();

const inAWeek = () => new Date(Date.now() + 7 * 86_400_000).toISOString();
const statuses = ['published', 'draft', 'scheduled', 'all'] as const;

/** The titles of the hits for each status. */
async function found(q: string): Promise<Record<string, string[]>> {
  const titles: [string, string[]][] = [];
  for (const status of statuses) titles.push([status, (await searchSite.titles(q, { status })).sort()]);
  return Object.fromEntries(titles);
}
const waitUntilIn = (status: string, q: string, titles: string[]) =>
  searchSite.waitUntilFound(q, titles, { status });

describe('GET /search with a status', () => {
  it('finds a draft in draft and all, and after it is published in published and all', async () => {
    const entry = await createEntry(searchSite.admin, 'posts', { title: 'Apricot', body: 'unripe' });
    await waitUntilIn('draft', 'unripe', ['Apricot']);
    expect(await found('unripe')).toEqual({
      published: [],
      draft: ['Apricot'],
      scheduled: [],
      all: ['Apricot'],
    });
    await entry.publish();
    await waitUntilIn('published', 'unripe', ['Apricot']);
    expect(await found('unripe')).toEqual({
      published: ['Apricot'],
      draft: [],
      scheduled: [],
      all: ['Apricot'],
    });
  });

  it('finds a staged draft by staged text in draft, by live text in published, and by both in all', async () => {
    const entry = await createEntry(
      searchSite.admin,
      'posts',
      { title: 'Bilberry', body: 'liveword common' },
      { slug: 'live' },
    );
    await entry.publish();
    await entry.put({ data: { title: 'Blueberry', body: 'stagedword common' }, slug: 'staged' });
    await waitUntilIn('draft', 'stagedword', ['Blueberry']);
    const none = { published: [], draft: [], scheduled: [], all: [] };
    expect(await found('stagedword')).toEqual({ ...none, draft: ['Blueberry'], all: ['Blueberry'] });
    expect(await found('liveword')).toEqual({ ...none, published: ['Bilberry'], all: ['Blueberry'] });
    expect(await found('common')).toEqual({
      ...none,
      published: ['Bilberry'],
      draft: ['Blueberry'],
      all: ['Blueberry'],
    });
    expect(await found('bilberry')).toEqual({ ...none, published: ['Bilberry'], all: ['Blueberry'] });
    const slugs = async (status: string) =>
      (await searchSite.search('common', { status })).data.items.map(({ slug }: { slug: string }) => slug);
    expect([await slugs('published'), await slugs('draft')]).toEqual([['live'], ['staged']]);
    await searchSite.admin.post(`${entry.path}/discard-draft`);
    // Meilisearch deletes the former views of an entry before it adds the present ones.
    await waitUntilIn('all', 'common', ['Bilberry']);
    expect(await found('stagedword')).toEqual(none);
    expect(await found('common')).toEqual({ ...none, published: ['Bilberry'], all: ['Bilberry'] });
  });

  it('finds scheduled entries in scheduled, published ones by their staged text', async () => {
    const scheduled = await createEntry(searchSite.admin, 'posts', { title: 'Cherry', body: 'waiting' });
    itemOf(await searchSite.admin.post(`${scheduled.path}/schedule`, { scheduledAt: inAWeek() }));
    const staged = await createEntry(searchSite.admin, 'posts', { title: 'Cranberry', body: 'shown' });
    await staged.publish();
    await staged.put({ data: { body: 'waiting' } });
    itemOf(await searchSite.admin.post(`${staged.path}/schedule`, { scheduledAt: inAWeek() }));
    await waitUntilIn('scheduled', 'waiting', ['Cherry', 'Cranberry']);
    expect(await found('waiting')).toEqual({
      published: [],
      draft: ['Cranberry'],
      scheduled: ['Cherry', 'Cranberry'],
      all: ['Cherry', 'Cranberry'],
    });
  });

  it('does not find trashed entries', async () => {
    const draft = await createEntry(searchSite.admin, 'posts', { title: 'Damson' });
    await waitUntilIn('draft', 'damson', ['Damson']);
    await draft.remove();
    await waitUntilIn('all', 'damson', []);
    expect(await found('damson')).toEqual({ published: [], draft: [], scheduled: [], all: [] });
    await draft.restore();
    await waitUntilIn('draft', 'damson', ['Damson']);
  });

  it('finds nothing in an unknown status', async () => {
    await searchSite.publish({ title: 'Elderberry' });
    await searchSite.waitUntilFound('elderberry', ['Elderberry']);
    for (const status of ['trash', 'anything', ''])
      expect(await searchSite.titles('elderberry', { status })).toEqual([]);
  });

  it('paginates, and returns INVALID_CURSOR for a cursor of another status', async () => {
    for (const index of [1, 2, 3]) await createEntry(searchSite.admin, 'posts', { title: `Fig ${index}` });
    await waitUntilIn('draft', 'fig', ['Fig 1', 'Fig 2', 'Fig 3']);
    const first = await searchSite.search('fig', { status: 'draft', limit: '2' });
    const { nextCursor } = first.data;
    const second = await searchSite.search('fig', { status: 'draft', limit: '2', cursor: nextCursor });
    expect([...titlesOf(first), ...titlesOf(second)].sort()).toEqual(['Fig 1', 'Fig 2', 'Fig 3']);
    expect(second.data.nextCursor).toBeUndefined();
    expect(
      (await searchSite.search('fig', { status: 'all', limit: '2', cursor: nextCursor })).error.code,
    ).toBe('INVALID_CURSOR');
  });

  it('finds drafts after a rebuild, which counts only published entries', async () => {
    const { data } = await searchSite.admin.post('/search/rebuild', { collection: 'posts' });
    const published = await searchSite.site.sql(
      `SELECT id FROM content_posts WHERE status = 'published' AND deleted_at IS NULL`,
    );
    expect(data.indexed).toBe(published.length);
    expect((await searchSite.titles('fig', { status: 'draft' })).sort()).toEqual(['Fig 1', 'Fig 2', 'Fig 3']);
  });
});

describe('permissions of GET /search with drafts', () => {
  beforeAll(async () => {
    await searchSite.publish({ title: 'Grape' });
    await createEntry(searchSite.admin, 'posts', { title: 'Grapefruit' });
    await waitUntilIn('all', 'grape', ['Grape', 'Grapefruit']);
  });

  it.each<[TestRole, string[]]>([
    ['subscriber', ['Grape']],
    ['contributor', ['Grape', 'Grapefruit']],
  ])('return drafts only with the right to read them (%s)', async (role, titles) => {
    const client = await searchSite.site.as(role);
    const response = await client.get('/search?q=grape&status=all');
    expect(titlesOf(response).sort()).toEqual(titles);
    const drafts = titlesOf(await client.get('/search?q=grapefruit&status=draft'));
    expect(drafts).toEqual(titles.filter((title) => title === 'Grapefruit'));
  });

  it('do not include drafts in suggestions', async () => {
    expect(await searchSite.suggestions('grape', { status: 'all' })).toEqual(['Grape']);
  });
});
