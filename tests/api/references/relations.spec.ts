import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  issuePaths,
  itemOf,
  createEntry,
  openSite,
  statusAndCode,
  type Client,
  type Site,
} from '@quire/testing';
import { createPostsAndTags, relationBetween } from './support/posts-and-tags.js';

let site: Site;
let admin: Client;
/** Slugs of two collections and of a relation between them, of their own for each test. */
let posts: string;
let tags: string;
let relation: string;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
});
beforeEach(async () => void ({ posts, tags, relation } = await createPostsAndTags(site)));
afterAll(() => site.close());

const definition = () => relationBetween(posts, tags, relation);
const create = (more: object = {}) => admin.post('/relations', { ...definition(), ...more });
const get = async (name = relation) => (await admin.get(`/relations/${name}`)).data.relation;
const fieldPath = (collection: string, slug = '') =>
  `/schema/collections/${collection}/fields${slug && `/${slug}`}`;
const addField = (collection: string, validation: object, more: object = {}) =>
  admin.post(fieldPath(collection), { slug: 'link', label: 'Link', type: 'reference', validation, ...more });

describe('relations (contract 10)', () => {
  it('are made, read by slug or id, listed and filtered by collection', async () => {
    const made = await create({ parentLabelSingular: 'Post', maxChildrenPerParent: 3 });
    expect(made.status).toBe(201);
    const expected = {
      id: expect.any(String),
      name: relation,
      ...definition(),
      parentLabelSingular: 'Post',
      childLabelSingular: null,
      maxChildrenPerParent: 3,
      maxParentsPerChild: null,
      boundFields: [],
      linkCount: 0,
    };
    expect(made.data.relation).toEqual(expected);
    expect(await get()).toEqual(expected);
    expect(await get(made.data.relation.id)).toEqual(expected);
    expect((await admin.get(`/relations?collection=${tags}`)).data.relations).toEqual([expected]);
    expect((await admin.get('/relations')).data.relations).toContainEqual(expected);
    expect((await admin.get('/relations?collection=nothing')).data.relations).toEqual([]);
  });

  it.each([
    ['a collection that is not there', { childCollection: 'nothing' }, 404, 'COLLECTION_NOT_FOUND'],
    ['a malformed slug', { slug: 'No' }, 400, 'VALIDATION_ERROR'],
    ['a blank label', { childLabel: ' ' }, 400, 'VALIDATION_ERROR'],
    ['a limit of nought', { maxChildrenPerParent: 0 }, 400, 'VALIDATION_ERROR'],
    ['half a limit', { maxParentsPerChild: 1.5 }, 400, 'VALIDATION_ERROR'],
  ])('with %s are refused', async (_, more, status, code) => {
    expect(statusAndCode(await create(more))).toEqual([status, code]);
  });

  it('of one slug are one, also among many at once', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => create()));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it('change what is sent, and nothing else', async () => {
    await create({ maxChildrenPerParent: 3 });
    const changed = await admin.patch(`/relations/${relation}`, {
      childLabel: 'Topics',
      maxChildrenPerParent: null,
    });
    expect(changed.data.relation).toMatchObject({
      childLabel: 'Topics',
      parentLabel: 'Posts',
      maxChildrenPerParent: null,
    });
    expect(statusAndCode(await admin.patch(`/relations/${relation}`, {}))).toEqual([400, 'VALIDATION_ERROR']);
    expect(statusAndCode(await admin.patch('/relations/nothing', { childLabel: 'x' }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
  });

  it('refuse a limit below what is stored, on either end', async () => {
    await create();
    await addField(posts, { relation });
    const [a, b] = [await createEntry(admin, tags), await createEntry(admin, tags)];
    await createEntry(admin, posts, {}, { references: { link: [a.id, b.id] } });
    await createEntry(admin, posts, {}, { references: { link: [a.id] } });
    for (const limit of ['maxChildrenPerParent', 'maxParentsPerChild']) {
      const answer = await admin.patch(`/relations/${relation}`, { [limit]: 1 });
      expect([...statusAndCode(answer), issuePaths(answer)]).toEqual([400, 'VALIDATION_ERROR', [limit]]);
      expect((await admin.patch(`/relations/${relation}`, { [limit]: 2 })).status).toBe(200);
    }
    expect((await get()).linkCount).toBe(3);
  });

  it('in use are deleted on demand alone, with their fields and links', async () => {
    await create();
    await addField(posts, { relation });
    const tag = await createEntry(admin, tags);
    const post = await createEntry(admin, posts, {}, { references: { link: [tag.id] } });
    expect(statusAndCode(await admin.delete(`/relations/${relation}`))).toEqual([409, 'CONFLICT']);
    const deleted = await admin.delete(`/relations/${relation}?force=true`);
    expect([deleted.status, deleted.data]).toEqual([200, { deleted: true }]);
    expect(statusAndCode(await admin.get(fieldPath(posts, 'link')))).toEqual([404, 'NOT_FOUND']);
    expect((await post.get()).references).toEqual({});
    expect(statusAndCode(await admin.delete(`/relations/${relation}`))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('a reference field that names a target collection (document 3)', () => {
  it('makes the relation {collection}_{field}, whose child side has the field’s label and takes one entry', async () => {
    const answer = await addField(posts, { targetCollection: tags });
    expect(answer.data.item.validation).toEqual({
      relation: `${posts}_link`,
      relationSide: 'parent',
      targetCollection: tags,
    });
    expect(await get(`${posts}_link`)).toMatchObject({
      parentCollection: posts,
      childCollection: tags,
      parentLabel: posts,
      childLabel: 'Link',
      maxChildrenPerParent: 1,
      maxParentsPerChild: null,
      boundFields: [{ collectionSlug: posts, fieldSlug: 'link', side: 'parent' }],
    });
  });

  it('takes any number when it is multiple', async () => {
    await addField(posts, { targetCollection: tags, multiple: true });
    expect((await get(`${posts}_link`)).maxChildrenPerParent).toBeNull();
  });

  it('adds no column', async () => {
    await addField(posts, { targetCollection: tags });
    const columns = await site.sql(
      "SELECT 1 FROM pg_attribute WHERE attrelid = $1::regclass AND attname = 'link' AND NOT attisdropped",
      [`content_${posts}`],
    );
    expect(columns).toEqual([]);
  });

  it('renames the side that it views when it is renamed', async () => {
    await addField(posts, { targetCollection: tags });
    await admin.put(fieldPath(posts, 'link'), { label: 'Topics' });
    expect(await get(`${posts}_link`)).toMatchObject({ childLabel: 'Topics', parentLabel: posts });
  });

  it('keeps its target: a change is refused, the same again is not', async () => {
    const { item } = (await addField(posts, { targetCollection: tags })).data;
    for (const validation of [
      { ...item.validation, targetCollection: posts },
      { ...item.validation, relationSide: 'child' },
      null,
    ])
      expect(statusAndCode(await admin.put(fieldPath(posts, 'link'), { validation }))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
    expect((await admin.put(fieldPath(posts, 'link'), { validation: item.validation })).status).toBe(200);
  });

  it('takes the relation with it when it goes, and may be made again with another target', async () => {
    await addField(posts, { targetCollection: tags });
    const tag = await createEntry(admin, tags);
    const post = await createEntry(admin, posts, {}, { references: { link: [tag.id] } });
    await admin.delete(fieldPath(posts, 'link'));
    expect((await admin.get(`/relations/${posts}_link`)).status).toBe(404);
    expect((await addField(posts, { targetCollection: posts })).status).toBe(201);
    expect((await post.get()).references).toEqual({ link: { items: [] } });
  });

  it('leaves the relation while another field views its other end', async () => {
    await addField(posts, { targetCollection: tags });
    await addField(tags, { relation: `${posts}_link` });
    await admin.delete(fieldPath(posts, 'link'));
    expect((await get(`${posts}_link`)).boundFields).toEqual([
      { collectionSlug: tags, fieldSlug: 'link', side: 'child' },
    ]);
  });

  it('may be required only when every entry selects something', async () => {
    await addField(posts, { targetCollection: tags });
    const [post, tag] = [await createEntry(admin, posts), await createEntry(admin, tags)];
    const require = () => admin.put(fieldPath(posts, 'link'), { required: true });
    expect(statusAndCode(await require())).toEqual([400, 'FIELD_UPDATE_REQUIRES_MIGRATION']);
    await post.put({ references: { link: [tag.id] } });
    expect((await require()).status).toBe(200);
  });

  it('goes when its target collection is deleted', async () => {
    await addField(posts, { targetCollection: tags });
    await createEntry(admin, posts);
    await admin.delete(`/schema/collections/${tags}`);
    expect((await admin.get(fieldPath(posts, 'link'))).status).toBe(404);
    expect((await admin.get(`/content/${posts}`)).status).toBe(200);
    expect((await admin.get(`/relations/${posts}_link`)).status).toBe(404);
  });
});

describe('a reference field that names a relation (document 3)', () => {
  beforeEach(() => create());

  it('sits on the end of its collection', async () => {
    const parent = (await addField(posts, { relation })).data.item;
    expect(parent.validation).toEqual({ relation, relationSide: 'parent', targetCollection: tags });
    const child = (await addField(tags, { relation })).data.item;
    expect(child.validation).toEqual({ relation, relationSide: 'child', targetCollection: posts });
    await admin.put(fieldPath(tags, 'link'), { label: 'Articles' });
    expect((await get()).parentLabel).toBe('Articles');
  });

  it('of which there is one an end', async () => {
    await addField(posts, { relation });
    const answer = await addField(posts, { relation }, { slug: 'second' });
    expect([...statusAndCode(answer), issuePaths(answer)]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['validation.relation'],
    ]);
    await create({ slug: `${relation}_raced` });
    const raced = await Promise.all(
      ['a', 'b', 'c'].map((slug) => addField(posts, { relation: `${relation}_raced` }, { slug })),
    );
    expect(raced.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  });

  it.each<[string, () => object, string]>([
    ['one that is not there', () => ({ relation: 'nothing' }), 'validation.relation'],
    ['a target beside it', () => ({ relation, targetCollection: tags }), 'validation.relation'],
    [
      'a side that goes without saying',
      () => ({ relation, relationSide: 'parent' }),
      'validation.relationSide',
    ],
  ])('refuses %s', async (_, validation, place) => {
    const answer = await addField(posts, validation());
    expect([...statusAndCode(answer), issuePaths(answer)]).toEqual([400, 'VALIDATION_ERROR', [place]]);
  });

  it('refuses a relation of other collections', async () => {
    await site.collection({ slug: 'other' });
    expect(issuePaths(await addField('other', { relation }))).toEqual(['validation.relation']);
  });

  it('within one collection says which end it views', async () => {
    await create({ slug: 'tree', childCollection: posts });
    const validation = { relation: 'tree' };
    expect(issuePaths(await addField(posts, validation))).toEqual(['validation.relationSide']);
    await addField(posts, { ...validation, relationSide: 'parent' }, { slug: 'children' });
    await addField(posts, { ...validation, relationSide: 'child' }, { slug: 'parents' });
    const [root, leaf] = [await createEntry(admin, posts), await createEntry(admin, posts)];
    await root.put({ references: { children: [leaf.id] } });
    const idOf = async (entry: typeof root, field: string) =>
      (await entry.get()).references[field].items[0]?.id;
    expect(await idOf(root, 'children')).toBe(leaf.id);
    expect(await idOf(leaf, 'parents')).toBe(root.id);
    expect(await idOf(root, 'parents')).toBeUndefined();
  });
});

describe('the definition of a bound field (document 3)', () => {
  it.each([
    ['unknown target', { validation: { targetCollection: 'nothing' } }, 404, 'COLLECTION_NOT_FOUND'],
    ['indexed', { validation: { targetCollection: 'tags' }, indexed: true }, 400, 'FIELD_NOT_INDEXABLE'],
    ['searchable', { validation: { targetCollection: 'tags' }, searchable: true }, 400, 'VALIDATION_ERROR'],
    ['unique', { validation: { targetCollection: 'tags' }, unique: true }, 400, 'VALIDATION_ERROR'],
    ['a default', { validation: { targetCollection: 'tags' }, defaultValue: 'x' }, 400, 'VALIDATION_ERROR'],
  ])('with %s is refused', async (_, { validation, ...more }, status, code) => {
    const target = validation.targetCollection === 'tags' ? { targetCollection: tags } : validation;
    expect(statusAndCode(await addField(posts, target, more))).toEqual([status, code]);
  });
});

describe('deleting a collection', () => {
  it('takes its relations and links with it', async () => {
    await create();
    await addField(posts, { relation });
    const tag = await createEntry(admin, tags);
    await createEntry(admin, posts, {}, { references: { link: [tag.id] } });
    await admin.delete(`/schema/collections/${posts}?force=true`);
    expect((await admin.get(`/relations/${relation}`)).status).toBe(404);
    expect(itemOf(await admin.get(tag.path)).id).toBe(tag.id);
  });
});
