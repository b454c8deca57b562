import { describe, expect, it } from '@jest/globals';
import { useSite, type Client } from '@quire/testing';
import { exportOf, headOf, posts, type SourceItem } from './export-builder.js';
import {
  allBylines,
  allComments,
  allTerms,
  createPosts,
  dataOf,
  entriesIn,
  execute,
  prepareFor,
  type Entry,
} from './support.js';

const site = useSite({ lifetime: 'test' });
const mapping = { postTypeMappings: { post: { collection: 'posts' } } };

/** Imports an export of posts. @returns the summary */
const run = async (admin: Client, items: readonly SourceItem[], head?: string) =>
  dataOf(await execute(admin, exportOf(items, head), mapping));
/** A site that an export of posts was imported into. */
async function importedSite(items: readonly SourceItem[], head?: string): Promise<Client> {
  const admin = await site.as('admin');
  await createPosts(site);
  await run(admin, items, head);
  return admin;
}
const entryOf = async (admin: Client, slug: string): Promise<Entry & { _rev: string }> => {
  const { data, status } = await admin.get(`/content/posts/${slug}`);
  if (status !== 200) throw new Error(`'${slug}' is not there`);
  return { ...data.item, _rev: data._rev };
};
const textOf = ({ data }: Entry) => data.content[0].children[0].text as string;

describe('an import of a changed source', () => {
  const first = posts(1, 3, { content: 'old body', creator: 'ada', terms: [['category', 'one', 'One']] });
  const changed = posts(1, 3, {
    title: 'New title',
    content: 'new body',
    status: 'draft',
    creator: 'grace',
    date: '2023-01-02 03:04:05',
    terms: [['category', 'two', 'Two']],
  });

  it('updates the entries that no user has edited: values, state, dates, terms and byline', async () => {
    const admin = await importedSite(first);
    const before = await entryOf(admin, 'item-2');
    expect(await run(admin, changed)).toMatchObject({
      success: true,
      imported: 0,
      updated: 3,
      skipped: 0,
      failed: 0,
      byType: { post: { items: 3, imported: 0, updated: 3, skipped: 0, failed: 0 } },
    });
    const after = await entryOf(admin, 'item-2');
    expect([after.id, after.data.title, textOf(after)]).toEqual([before.id, 'New title', 'new body']);
    expect([after.status, after.createdAt]).toEqual(['draft', '2023-01-02T03:04:05.000Z']);
    expect(after.bylines?.map(({ byline }) => byline.slug)).toEqual(['grace']);
    const { terms } = (await admin.get(`/content/posts/${after.id}/terms/category`)).data;
    expect(terms.map(({ slug }: { slug: string }) => slug)).toEqual(['two']);
    expect(await entriesIn(admin, 'posts')).toHaveLength(3);
  });

  it('leaves edited, trashed and published entries as they are', async () => {
    const admin = await importedSite(posts(1, 4, { status: 'draft' }));
    await admin.put('/content/posts/item-1', { data: { title: 'Mine' } });
    await admin.post('/content/posts/item-2/publish');
    await admin.delete(`/content/posts/${(await entryOf(admin, 'item-3')).id}`);
    const before = new Map((await entriesIn(admin, 'posts')).map((entry) => [entry.slug, entry]));
    const summary = await run(admin, posts(1, 4, { status: 'draft', content: 'new body' }));
    expect([summary.imported, summary.updated, summary.skipped]).toEqual([0, 1, 3]);
    const after = new Map((await entriesIn(admin, 'posts')).map((entry) => [entry.slug, entry]));
    for (const slug of ['item-1', 'item-2', 'item-3']) expect(after.get(slug)).toEqual(before.get(slug));
    expect(textOf(await entryOf(admin, 'item-4'))).toBe('new body');
    expect(after.size).toBe(4);
  });

  it('updates an entry again at the next change, and then nothing', async () => {
    const admin = await importedSite(first);
    await run(admin, changed);
    expect((await run(admin, first)).updated).toBe(3);
    const restored = await entryOf(admin, 'item-1');
    expect([restored.status, textOf(restored)]).toEqual(['published', 'old body']);
    expect(await run(admin, first)).toMatchObject({ updated: 0, skipped: 3 });
    expect(await entryOf(admin, 'item-1')).toEqual(restored);
  });
});

describe('an import of entries whose slug has changed', () => {
  it('keeps one entry with the slug that a user gave it', async () => {
    const admin = await importedSite(posts(1, 1));
    const { id } = await entryOf(admin, 'item-1');
    expect((await admin.put(`/content/posts/${id}`, { slug: 'mine' })).status).toBe(200);
    await admin.post(`/content/posts/${id}/publish`);
    expect(await run(admin, posts(1, 1))).toMatchObject({ imported: 0, updated: 0, skipped: 1 });
    const entries = await entriesIn(admin, 'posts');
    expect(entries.map((entry) => [entry.id, entry.slug])).toEqual([[id, 'mine']]);
  });

  it('keeps one entry when the source has changed it', async () => {
    const admin = await importedSite(posts(1, 1));
    const { id } = await entryOf(admin, 'item-1');
    expect((await run(admin, [{ id: 1, slug: 'renamed' }])).updated).toBe(1);
    const entries = await entriesIn(admin, 'posts');
    expect(entries.map((entry) => [entry.id, entry.slug])).toEqual([[id, 'renamed']]);
  });

  it('keeps the suffixes of entries that share a slug', async () => {
    const same = posts(1, 3, { slug: 'same' });
    const admin = await importedSite(same);
    const slugs = async () =>
      Object.fromEntries((await entriesIn(admin, 'posts')).map(({ data, slug }) => [data.title, slug]));
    const before = await slugs();
    expect(before).toEqual({ 'Item 1': 'same', 'Item 2': 'same-2', 'Item 3': 'same-3' });
    await run(admin, same);
    expect(await slugs()).toEqual(before);
  });
});

describe('an import of entries that were deleted', () => {
  it('for good: creates them again', async () => {
    const admin = await importedSite(posts(1, 2));
    const { id } = await entryOf(admin, 'item-1');
    await admin.delete(`/content/posts/${id}`);
    expect((await admin.delete(`/content/posts/${id}/permanent`)).status).toBe(200);
    expect(await run(admin, posts(1, 2))).toMatchObject({ imported: 1, updated: 0, skipped: 1 });
    const again = await entryOf(admin, 'item-1');
    expect([again.id === id, textOf(again)]).toEqual([false, 'Body of 1']);
    expect(await run(admin, posts(1, 2))).toMatchObject({ imported: 0, skipped: 2 });
  });

  it('to the trash: leaves them there', async () => {
    const admin = await importedSite(posts(1, 1));
    const { id } = await entryOf(admin, 'item-1');
    await admin.delete(`/content/posts/${id}`);
    expect(await run(admin, posts(1, 1))).toMatchObject({ imported: 0, skipped: 1 });
    expect((await entriesIn(admin, 'posts')).map((entry) => [entry.id, entry.status])).toEqual([
      [id, 'trashed'],
    ]);
  });
});

describe('an import of the next part of a split export', () => {
  const head = headOf('https://source.example', { ada: 'Ada L.' });
  const term =
    '<wp:category><wp:category_nicename>one</wp:category_nicename><wp:cat_name>One</wp:cat_name></wp:category>';
  const part = (first: number) =>
    posts(first, first + 1, {
      creator: 'ada',
      terms: [
        ['category', 'one', 'One'],
        ['post_tag', 'red', 'Red'],
      ],
    });

  it('adds its entries, and reuses authors and terms', async () => {
    const admin = await importedSite(part(1), head + term);
    const bylines = await allBylines(admin);
    const terms = await allTerms(admin);
    expect(await run(admin, part(11), head + term)).toMatchObject({
      imported: 2,
      skipped: 0,
      taxonomies: { termsCreated: {}, termsReused: { category: 1, tag: 1 }, assignments: 4 },
    });
    expect(await allBylines(admin)).toEqual(bylines);
    expect(await allTerms(admin)).toEqual(terms);
    const credits = (await entriesIn(admin, 'posts')).map(({ primaryBylineId }) => primaryBylineId);
    expect(credits).toEqual(Array(4).fill(bylines[0].translationGroup));
  });

  it('reuses a byline and a term that were renamed', async () => {
    const admin = await importedSite(part(1), head + term);
    const [byline] = await allBylines(admin);
    expect((await admin.put(`/admin/bylines/${byline.id}`, { displayName: 'Countess' })).status).toBe(200);
    await run(admin, part(11), head + term);
    expect((await allBylines(admin)).map(({ displayName }) => displayName)).toEqual(['Countess']);
  });

  it('adds new comments to entries that exist, each once', async () => {
    const admin = await importedSite([{ id: 1, comments: [{ id: 5 }] }]);
    const more = [{ id: 1, comments: [{ id: 5 }, { id: 6, parent: 5 }] }];
    expect((await run(admin, more)).comments).toEqual({ imported: 1, skipped: 1 });
    expect((await run(admin, more)).comments).toEqual({ imported: 0, skipped: 2 });
    const comments = await allComments(admin);
    const root = comments.find(({ body }) => body === 'Comment 5');
    expect(comments.map(({ body, parentId }) => [body, parentId]).sort()).toEqual([
      ['Comment 5', null],
      ['Comment 6', root.id],
    ]);
  });
});

describe('an import from another source', () => {
  it('does not take its items for those of the first one', async () => {
    const admin = await importedSite(posts(1, 1));
    const summary = await run(admin, [{ id: 1, title: 'Other' }], headOf('https://other.example'));
    expect([summary.imported, summary.updated]).toEqual([1, 0]);
    const entries = await entriesIn(admin, 'posts');
    expect(entries.map(({ slug, data }) => `${slug} ${data.title}`).sort()).toEqual([
      'item-1 Item 1',
      'item-1-2 Other',
    ]);
  });

  it.each(['http://source.example', 'https://www.source.example/', 'https://SOURCE.example'])(
    'recognises %s as the first one',
    async (address) => {
      const admin = await importedSite(posts(1, 1));
      expect(await run(admin, posts(1, 1), headOf(address))).toMatchObject({ imported: 0, skipped: 1 });
    },
  );
});

describe('an import into other fields than before', () => {
  it('fills fields that were added since', async () => {
    const admin = await site.as('admin');
    const items = [{ id: 1, meta: { color: 'red' } }];
    await createPosts(site);
    await run(admin, items);
    expect((await entryOf(admin, 'item-1')).data).not.toHaveProperty('color');
    await prepareFor(admin, exportOf(items));
    const second = await run(admin, [{ id: 1, meta: { color: 'blue' } }]);
    expect(second.updated).toBe(1);
    expect((await entryOf(admin, 'item-1')).data.color).toBe('blue');
  });
});
