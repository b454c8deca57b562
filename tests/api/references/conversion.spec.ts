import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createEntry, openSite, statusAndCode, type Client, type Site, type TestEntry } from '@quire/testing';
import { seen } from './support/library.js';

let site: Site;
let admin: Client;
let count = 0;
/** Slugs of two collections of their own for each test; `link` is to become a relation from `posts` to `tags`. */
let posts: string;
let tags: string;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
});
beforeEach(async () => {
  count += 1;
  [posts, tags] = [`posts_${count}`, `tags_${count}`];
  await site.collection({
    slug: posts,
    fields: [
      { slug: 'title', type: 'string' },
      { slug: 'any', type: 'json' },
    ],
  });
  await site.collection({ slug: tags });
});
afterAll(() => site.close());

const fieldPath = (slug = '') => `/schema/collections/${posts}/fields${slug && `/${slug}`}`;
const addField = async (more: object = {}) => {
  const answer = await admin.post(fieldPath(), { slug: 'link', label: 'Link', type: 'reference', ...more });
  expect(answer.status).toBe(201);
};
const list = { options: { allowMultiple: true } };
const createPost = (data: object = {}, more: object = {}) =>
  createEntry(admin, posts, { body: undefined, ...data }, more);
const createTag = (more: object = {}) => createEntry(admin, tags, {}, more);
const convert = (more: object = {}) =>
  admin.put(fieldPath('link'), { validation: { targetCollection: tags, multiple: true, ...more } });
const linked = (entry: TestEntry, client = admin) => seen(client, entry, 'link');
/** What lies in the drafts of an entry under the field's name. */
const draftedIds = ({ id }: TestEntry) =>
  site.sql(
    `SELECT d.data -> 'link' AS link FROM content_${posts} e JOIN revisions d ON d.id = e.draft_revision_id WHERE e.id = $1`,
    [id],
  );

describe('converting a plain reference field (document 3, reference rules)', () => {
  it('makes links of the ids it holds, drops those of nothing, and takes its column away', async () => {
    await addField({ indexed: true, searchable: true });
    const tag = await createTag();
    const [kept, lost] = [await createPost({ link: tag.id }), await createPost({ link: 'nothing' })];
    const answer = await convert();
    expect([answer.status, answer.error.message]).toEqual([200, '']);
    expect(answer.data.item).toMatchObject({
      searchable: false,
      indexed: false,
      validation: { relation: `${posts}_link`, relationSide: 'parent', targetCollection: tags },
    });
    expect([await linked(kept), await linked(lost)]).toEqual([[tag.id], []]);
    expect((await kept.get()).item.data).not.toHaveProperty('link');
    expect(statusAndCode(await admin.get(`/content/${posts}?orderBy=link`))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });

  it('keeps the order of a list of ids', async () => {
    await addField(list);
    const ids = [(await createTag()).id, (await createTag()).id, (await createTag()).id];
    const order = [ids[2], ids[0], ids[1]];
    const post = await createPost({ link: order });
    await convert();
    expect(await linked(post)).toEqual(order);
  });

  it('takes a text that begins like a list for the one id that it is', async () => {
    await addField();
    const [single, doubled] = [await createPost({ link: '[draft' }), await createPost({ link: '["a", ]' })];
    expect((await convert()).status).toBe(200);
    expect([await linked(single), await linked(doubled)]).toEqual([[], []]);
  });

  it('takes such a text from before the field held lists for one id too', async () => {
    await addField();
    const [tag, odd] = [await createTag(), await createPost({ link: '[draft' })];
    const single = await createPost({ link: tag.id });
    expect((await admin.put(fieldPath('link'), list)).status).toBe(200);
    const several = await createPost({ link: ['[draft', 'a"b\\c', tag.id] });
    expect((await convert()).status).toBe(200);
    expect([await linked(odd), await linked(single), await linked(several)]).toEqual([
      [],
      [tag.id],
      [tag.id],
    ]);
  });

  it('is refused when entries hold more than the field would take, and changes nothing', async () => {
    await addField(list);
    const [a, b] = [await createTag(), await createTag()];
    const post = await createPost({ link: [a.id, b.id] });
    expect(statusAndCode(await convert({ multiple: false }))).toEqual([
      400,
      'FIELD_UPDATE_REQUIRES_MIGRATION',
    ]);
    expect((await post.get()).item.data.link).toEqual([a.id, b.id]);
    expect((await admin.get(`/relations/${posts}_link`)).status).toBe(404);
  });

  it('puts the ids of all translations together', async () => {
    await addField({ translatable: true });
    const [a, b] = [await createTag(), await createTag()];
    const post = await createPost({ link: a.id });
    const german = await createPost({ link: b.id }, { locale: 'de', translationOf: post.id });
    await convert();
    expect((await linked(german)).sort()).toEqual([a.id, b.id].sort());
    expect(await linked(post)).toEqual(await linked(german));
  });
});

describe('an entry that is not published, changed since it was made, and then converted', () => {
  let post: TestEntry;
  let a: TestEntry;
  let b: TestEntry;
  beforeEach(async () => {
    await addField();
    [a, b] = [await createTag(), await createTag()];
    post = await createPost({ link: a.id });
  });

  it('links what its draft holds, once and for all', async () => {
    await post.put({ data: { link: b.id } });
    await convert();
    expect(await linked(post)).toEqual([b.id]);
    expect(await draftedIds(post)).toEqual([{ link: null }]);
    await post.publish();
    expect(await linked(post)).toEqual([b.id]);
  });

  it('links nothing when its draft holds nothing', async () => {
    await post.put({ data: { link: null } });
    await convert();
    expect(await linked(post)).toEqual([]);
  });

  it('links what its draft holds when it is scheduled', async () => {
    await post.put({ data: { link: b.id } });
    await post.schedule();
    await convert();
    expect(await linked(post)).toEqual([b.id]);
    expect((await post.get()).item.status).toBe('scheduled');
  });
});

describe('the draft of a published entry that is converted', () => {
  let a: TestEntry;
  let b: TestEntry;
  beforeEach(async () => {
    [a, b] = [await createTag(), await createTag()];
  });
  async function published(link: unknown, data: object, more: object = {}): Promise<TestEntry> {
    const post = await createPost({ link, ...more });
    await post.publish();
    expect((await post.put({ data })).status).toBe(200);
    return post;
  }

  it('stages what it holds', async () => {
    await addField();
    const post = await published(a.id, { link: b.id });
    await convert();
    expect(await linked(post)).toEqual([b.id]);
    expect(await draftedIds(post)).toEqual([{ link: null }]);
    await post.discard();
    expect(await linked(post)).toEqual([a.id]);
  });

  it('stages that it was cleared', async () => {
    await addField();
    const post = await published(a.id, { link: null });
    await convert();
    expect(await linked(post)).toEqual([]);
    await post.publish();
    expect(await linked(post)).toEqual([]);
  });

  it('stages nothing when it holds what is live, so that publishing it keeps what translations link', async () => {
    await addField({ translatable: true });
    const post = await published(a.id, { title: 'New' });
    await createPost({ link: b.id }, { locale: 'de', translationOf: post.id });
    await convert();
    await post.publish();
    expect((await linked(post)).sort()).toEqual([a.id, b.id].sort());
  });

  it('stages one entry of which it names two translations once, and can be published', async () => {
    await addField(list);
    const german = await createTag({ locale: 'de', translationOf: a.id });
    const post = await published([a.id], { link: [b.id, german.id, a.id] });
    await convert();
    expect((await post.publish()).status).toBe(200);
    expect(await linked(post)).toEqual([b.id, a.id]);
  });

  it('keeps the order of keys inside its values (decision 12)', async () => {
    await addField();
    const any = { zebra: 1, apple: { longer: 1, b: 2 } };
    const post = await published(a.id, { link: b.id, any });
    await convert();
    expect(JSON.stringify((await post.get()).item.data.any)).toBe(JSON.stringify(any));
    await admin.delete(fieldPath('link'));
    expect(JSON.stringify((await post.get()).item.data.any)).toBe(JSON.stringify(any));
  });
});

describe('converting a plain reference field by naming a relation (document 3)', () => {
  beforeEach(async () => {
    const made = await admin.post('/relations', {
      slug: `rel_${count}`,
      parentCollection: tags,
      childCollection: posts,
      parentLabel: 'Tags',
      childLabel: 'Posts',
    });
    expect(made.status).toBe(201);
    await addField(list);
  });
  const bind = () => admin.put(fieldPath('link'), { validation: { relation: `rel_${count}` } });
  const children = async ({ path }: TestEntry): Promise<string[]> =>
    (await admin.get(`${path}/references/rel_${count}/children`)).data.children.map(
      (item: { id: string }) => item.id,
    );

  it('binds it to the end of its collection, behind what is linked already', async () => {
    const [a, b] = [await createTag(), await createTag()];
    const [first, second] = [await createPost(), await createPost()];
    const set = await admin.post(`${a.path}/references/rel_${count}/children`, {
      childIds: [second.id, first.id],
    });
    expect(set.status).toBe(200);
    const post = await createPost({ link: [a.id, b.id] });
    const answer = await bind();
    expect(answer.data.item.validation).toEqual({
      relation: `rel_${count}`,
      relationSide: 'child',
      targetCollection: tags,
    });
    expect((await linked(post)).sort()).toEqual([a.id, b.id].sort());
    expect([await children(a), await children(b)]).toEqual([[second.id, first.id, post.id], [post.id]]);
  });

  it('is refused where a limit of the relation would be broken, on either end', async () => {
    const [a, b] = [await createTag(), await createTag()];
    await createPost({ link: [a.id, b.id] });
    await createPost({ link: [a.id] });
    for (const limit of ['maxChildrenPerParent', 'maxParentsPerChild']) {
      await admin.patch(`/relations/rel_${count}`, { [limit]: 1 });
      expect(statusAndCode(await bind())).toEqual([400, 'FIELD_UPDATE_REQUIRES_MIGRATION']);
      await admin.patch(`/relations/rel_${count}`, { [limit]: null });
    }
    expect((await bind()).status).toBe(200);
  });
});
