import { describe, expect, it } from '@jest/globals';
import { createEntry, useSite, type Client } from '@quire/testing';
import { exportOf, headOf, posts } from './export-builder.js';
import {
  allBylines,
  allComments,
  allMenus,
  allSections,
  createPosts,
  dataOf,
  entriesIn,
  exampleFile,
  execute,
  importFile,
} from './support.js';

const site = useSite({ lifetime: 'test' });
const mapping = { postTypeMappings: { post: { collection: 'posts' } } };
const codesOf = ({ warnings }: { warnings: { code: string }[] }) => warnings.map(({ code }) => code);

describe('skipExisting of POST /import/legacy/execute', () => {
  const file = exportOf([
    { id: 1, slug: 'taken', title: 'From the source' },
    { id: 2, slug: 'free' },
  ]);
  const openTaken = async () => {
    const admin = await site.as('admin');
    await createPosts(site);
    const existing = await createEntry(admin, 'posts', { body: undefined, title: 'Own' }, { slug: 'taken' });
    return { admin, existing };
  };

  it('true and absent: leaves an entry of the slug as it is, and skips the item', async () => {
    const { admin, existing } = await openTaken();
    const before = await existing.get();
    for (const skipExisting of [true, undefined]) {
      const summary = dataOf(await execute(admin, file, { ...mapping, skipExisting }));
      expect(summary.imported + summary.skipped).toBe(2);
      expect(summary.byType.post.skipped).toBe(skipExisting ? 1 : 2);
    }
    expect(await existing.get()).toEqual(before);
    expect((await entriesIn(admin, 'posts')).map(({ slug }) => slug).sort()).toEqual(['free', 'taken']);
  });

  it('false: imports the item with a suffix and a warning', async () => {
    const { admin, existing } = await openTaken();
    const before = await existing.get();
    const summary = dataOf(await execute(admin, file, { ...mapping, skipExisting: false }));
    expect([summary.imported, summary.skipped, codesOf(summary)]).toEqual([2, 0, ['SLUG_RENAMED']]);
    expect(await existing.get()).toEqual(before);
    const { item } = (await admin.get('/content/posts/taken-2')).data;
    expect(item.data.title).toBe('From the source');
  });
});

describe('importComments, importSections and importMenus of POST /import/legacy/execute', () => {
  it('false: leave out comments, sections and menus, and nothing else', async () => {
    const admin = await site.as('admin');
    const summary = await importFile(admin, exampleFile('edge-cases.xml'), {
      importComments: false,
      importSections: false,
      importMenus: false,
    });
    expect(summary).toMatchObject({
      success: true,
      imported: 51,
      comments: { imported: 0, skipped: 0 },
      sections: { created: 0, skipped: 0 },
      menus: { created: 0, items: 0 },
      byType: {
        wp_block: { items: 1, imported: 0, skipped: 1 },
        nav_menu_item: { items: 6, imported: 0, skipped: 6 },
      },
    });
    expect([await allComments(admin), await allSections(admin), await allMenus(admin)]).toEqual([[], [], []]);
  });

  it('true in a later import: adds them to the entries that exist', async () => {
    const admin = await site.as('admin');
    const file = exportOf(posts(1, 2, { comments: [{ id: 5 }] }).slice(0, 1));
    await createPosts(site);
    dataOf(await execute(admin, file, { ...mapping, importComments: false }));
    expect(await allComments(admin)).toEqual([]);
    const summary = dataOf(await execute(admin, file, mapping));
    expect([summary.imported, summary.comments]).toEqual([0, { imported: 1, skipped: 0 }]);
    const [comment, ...others] = await allComments(admin);
    expect([comment.body, others]).toEqual(['Comment 5', []]);
  });
});

describe('authorMappings of POST /import/legacy/execute', () => {
  const authors = { ada: 'Ada L.', adele: 'Adele', grace: 'Grace H.' };
  const file = exportOf(
    [
      { id: 1, creator: 'ada' },
      { id: 2, creator: 'adele' },
      { id: 3, creator: 'grace' },
      { id: 4, creator: 'ghost' },
      { id: 5 },
    ],
    headOf('https://source.example', authors),
  );
  const run = async (admin: Client, source: string, authorMappings: object) => {
    await createPosts(site);
    return dataOf(await execute(admin, source, { ...mapping, authorMappings }));
  };
  const userIdOf = async (role: 'author' | 'editor') =>
    (await (await site.signedIn(role)).get('/auth/me')).data.id as string;

  it('a user owns the entries and has one linked byline; null and absent logins have guest bylines', async () => {
    const admin = await site.as('admin');
    const userId = await userIdOf('author');
    await run(admin, file, { ada: userId, adele: userId, grace: null });
    const bylines = await allBylines(admin);
    expect(bylines.map((byline) => [byline.userId, byline.isGuest]).sort()).toEqual(
      [
        [userId, false],
        [null, true],
        [null, true],
      ].sort(),
    );
    const linked = bylines.find((byline) => byline.userId === userId);
    const nameOf = (login: string) => bylines.find(({ slug }) => slug === login)?.displayName;
    expect([nameOf('grace'), nameOf('ghost')]).toEqual(['Grace H.', 'ghost']);
    const entries = (await entriesIn(admin, 'posts')).sort((a, b) => a.slug.localeCompare(b.slug));
    expect(
      entries.map(({ authorId, bylines: credits }) => [authorId, credits?.map(({ byline }) => byline.id)]),
    ).toEqual([
      [userId, [linked.id]],
      [userId, [linked.id]],
      [null, [bylines.find(({ slug }) => slug === 'grace').id]],
      [null, [bylines.find(({ slug }) => slug === 'ghost').id]],
      [null, []],
    ]);
    expect(entries[0]?.primaryBylineId).toBe(linked.translationGroup);
  });

  it('a user with a byline keeps it', async () => {
    const admin = await site.as('admin');
    const userId = await userIdOf('editor');
    const body = { slug: 'the-editor', displayName: 'The editor', userId, isGuest: false };
    const created = await admin.post('/admin/bylines', body);
    expect(created.status).toBe(201);
    await run(admin, file, { ada: userId });
    const own = (await allBylines(admin)).filter((byline) => byline.userId === userId);
    expect(own.map(({ slug }) => slug)).toEqual(['the-editor']);
    const { item } = (await admin.get('/content/posts/item-1')).data;
    expect([item.authorId, item.byline.slug]).toEqual([userId, 'the-editor']);
  });

  it('the owner may edit an own draft', async () => {
    const admin = await site.as('admin');
    const userId = await userIdOf('author');
    const draft = exportOf([{ id: 1, creator: 'ada', status: 'draft' }]);
    await run(admin, draft, { ada: userId });
    const response = await (
      await site.as('author')
    ).put('/content/posts/item-1', { data: { title: 'Mine' } });
    expect([response.status, response.data?.item.data.title]).toEqual([200, 'Mine']);
  });
});
