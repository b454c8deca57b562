import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createEntry, statusAndCode, useSite, type Client, type TestEntry } from '@quire/testing';
import { referencedIds } from './support.js';

const site = useSite();
let admin: Client;
let count = 0;
/** Slugs of two collections, new for each test; `link` is converted to a relation from `posts` to `tags`. */
let posts: string;
let tags: string;

beforeAll(async () => {
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

const fieldPath = (slug = '') => `/schema/collections/${posts}/fields${slug && `/${slug}`}`;
const addField = async (more: object = {}) => {
  const response = await admin.post(fieldPath(), { slug: 'link', label: 'Link', type: 'reference', ...more });
  expect(response.status).toBe(201);
};
const list = { options: { allowMultiple: true } };
const createPost = (data: object = {}, more: object = {}) =>
  createEntry(admin, posts, { body: undefined, ...data }, more);
const createTag = (more: object = {}) => createEntry(admin, tags, {}, more);
const convert = (more: object = {}) =>
  admin.put(fieldPath('link'), { validation: { targetCollection: tags, multiple: true, ...more } });
const linked = (entry: TestEntry, client = admin) => referencedIds(client, entry, 'link');
/** Value of the field in the draft of an entry. */
const draftedIds = ({ id }: TestEntry) =>
  site.sql(
    `SELECT d.data -> 'link' AS link FROM content_${posts} e JOIN revisions d ON d.id = e.draft_revision_id WHERE e.id = $1`,
    [id],
  );

describe('conversion of a plain reference field (document 3, reference rules)', () => {
  it('creates links from stored ids, drops unknown ids and removes the column', async () => {
    await addField({ indexed: true, searchable: true });
    const tag = await createTag();
    const [valid, dangling] = [await createPost({ link: tag.id }), await createPost({ link: 'nothing' })];
    const response = await convert();
    expect([response.status, response.error.message]).toEqual([200, '']);
    expect(response.data.item).toMatchObject({
      searchable: false,
      indexed: false,
      validation: { relation: `${posts}_link`, relationSide: 'parent', targetCollection: tags },
    });
    expect([await linked(valid), await linked(dangling)]).toEqual([[tag.id], []]);
    expect((await valid.get()).item.data).not.toHaveProperty('link');
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

  it('treats a text that starts like a list as one id', async () => {
    await addField();
    const [single, doubled] = [await createPost({ link: '[draft' }), await createPost({ link: '["a", ]' })];
    expect((await convert()).status).toBe(200);
    expect([await linked(single), await linked(doubled)]).toEqual([[], []]);
  });

  it('treats such a text as one id also after the field became multiple', async () => {
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

  it('is rejected when entries have more ids than the field allows, and changes nothing', async () => {
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

  it('merges the ids of all translations', async () => {
    await addField({ translatable: true });
    const [a, b] = [await createTag(), await createTag()];
    const post = await createPost({ link: a.id });
    const german = await createPost({ link: b.id }, { locale: 'de', translationOf: post.id });
    await convert();
    expect((await linked(german)).sort()).toEqual([a.id, b.id].sort());
    expect(await linked(post)).toEqual(await linked(german));
  });
});

describe('conversion of an unpublished entry with a draft', () => {
  let post: TestEntry;
  let a: TestEntry;
  let b: TestEntry;
  beforeEach(async () => {
    await addField();
    [a, b] = [await createTag(), await createTag()];
    post = await createPost({ link: a.id });
  });

  it('links the ids of the draft', async () => {
    await post.put({ data: { link: b.id } });
    await convert();
    expect(await linked(post)).toEqual([b.id]);
    expect(await draftedIds(post)).toEqual([{ link: null }]);
    await post.publish();
    expect(await linked(post)).toEqual([b.id]);
  });

  it('creates no links when the draft has no ids', async () => {
    await post.put({ data: { link: null } });
    await convert();
    expect(await linked(post)).toEqual([]);
  });

  it('links the ids of the draft of a scheduled entry', async () => {
    await post.put({ data: { link: b.id } });
    await post.schedule();
    await convert();
    expect(await linked(post)).toEqual([b.id]);
    expect((await post.get()).item.status).toBe('scheduled');
  });
});

describe('conversion of a published entry with a draft', () => {
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

  it('stages the ids of the draft', async () => {
    await addField();
    const post = await published(a.id, { link: b.id });
    await convert();
    expect(await linked(post)).toEqual([b.id]);
    expect(await draftedIds(post)).toEqual([{ link: null }]);
    await post.discard();
    expect(await linked(post)).toEqual([a.id]);
  });

  it('stages a cleared field', async () => {
    await addField();
    const post = await published(a.id, { link: null });
    await convert();
    expect(await linked(post)).toEqual([]);
    await post.publish();
    expect(await linked(post)).toEqual([]);
  });

  it('stages nothing for unchanged ids, so that publication keeps the links of translations', async () => {
    await addField({ translatable: true });
    const post = await published(a.id, { title: 'New' });
    await createPost({ link: b.id }, { locale: 'de', translationOf: post.id });
    await convert();
    await post.publish();
    expect((await linked(post)).sort()).toEqual([a.id, b.id].sort());
  });

  it('stages two translations of one entry once and can be published', async () => {
    await addField(list);
    const german = await createTag({ locale: 'de', translationOf: a.id });
    const post = await published([a.id], { link: [b.id, german.id, a.id] });
    await convert();
    expect((await post.publish()).status).toBe(200);
    expect(await linked(post)).toEqual([b.id, a.id]);
  });

  it('preserves the key order of values (decision 12)', async () => {
    await addField();
    const any = { zebra: 1, apple: { longer: 1, b: 2 } };
    const post = await published(a.id, { link: b.id, any });
    await convert();
    expect(JSON.stringify((await post.get()).item.data.any)).toBe(JSON.stringify(any));
    await admin.delete(fieldPath('link'));
    expect(JSON.stringify((await post.get()).item.data.any)).toBe(JSON.stringify(any));
  });
});

describe('conversion of a plain reference field to an existing relation (document 3)', () => {
  beforeEach(async () => {
    const created = await admin.post('/relations', {
      slug: `rel_${count}`,
      parentCollection: tags,
      childCollection: posts,
      parentLabel: 'Tags',
      childLabel: 'Posts',
    });
    expect(created.status).toBe(201);
    await addField(list);
  });
  const bind = () => admin.put(fieldPath('link'), { validation: { relation: `rel_${count}` } });
  const children = async ({ path }: TestEntry): Promise<string[]> =>
    (await admin.get(`${path}/references/rel_${count}/children`)).data.children.map(
      (item: { id: string }) => item.id,
    );

  it('appends the stored ids to existing links', async () => {
    const [a, b] = [await createTag(), await createTag()];
    const [first, second] = [await createPost(), await createPost()];
    const set = await admin.post(`${a.path}/references/rel_${count}/children`, {
      childIds: [second.id, first.id],
    });
    expect(set.status).toBe(200);
    const post = await createPost({ link: [a.id, b.id] });
    const response = await bind();
    expect(response.data.item.validation).toEqual({
      relation: `rel_${count}`,
      relationSide: 'child',
      targetCollection: tags,
    });
    expect((await linked(post)).sort()).toEqual([a.id, b.id].sort());
    expect([await children(a), await children(b)]).toEqual([[second.id, first.id, post.id], [post.id]]);
  });

  it('is rejected when it exceeds a limit of the relation, on both ends', async () => {
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
