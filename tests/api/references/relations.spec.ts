import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createEntry, issuePaths, itemOf, statusAndCode, useSite, type Client } from '@quire/testing';
import { createPostsAndTags, relationBetween } from './support.js';

const site = useSite();
let admin: Client;
/** Slugs of two collections and a relation between them, new for each test. */
let posts: string;
let tags: string;
let relation: string;

beforeAll(async () => {
  admin = await site.as('admin');
});
beforeEach(async () => void ({ posts, tags, relation } = await createPostsAndTags(site)));

const definition = () => relationBetween(posts, tags, relation);
const create = (more: object = {}) => admin.post('/relations', { ...definition(), ...more });
const get = async (name = relation) => (await admin.get(`/relations/${name}`)).data.relation;
const fieldPath = (collection: string, slug = '') =>
  `/schema/collections/${collection}/fields${slug && `/${slug}`}`;
const addField = (collection: string, validation: object, more: object = {}) =>
  admin.post(fieldPath(collection), { slug: 'link', label: 'Link', type: 'reference', validation, ...more });

describe('/relations (contract 10)', () => {
  it('creates a relation, reads it by slug or id, and lists it by collection', async () => {
    const created = await create({ parentLabelSingular: 'Post', maxChildrenPerParent: 3 });
    expect(created.status).toBe(201);
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
    expect(created.data.relation).toEqual(expected);
    expect(await get()).toEqual(expected);
    expect(await get(created.data.relation.id)).toEqual(expected);
    expect((await admin.get(`/relations?collection=${tags}`)).data.relations).toEqual([expected]);
    expect((await admin.get('/relations')).data.relations).toContainEqual(expected);
    expect((await admin.get('/relations?collection=nothing')).data.relations).toEqual([]);
  });

  it.each([
    ['an unknown collection', { childCollection: 'nothing' }, 404, 'COLLECTION_NOT_FOUND'],
    ['a malformed slug', { slug: 'No' }, 400, 'VALIDATION_ERROR'],
    ['a blank label', { childLabel: ' ' }, 400, 'VALIDATION_ERROR'],
    ['a limit of 0', { maxChildrenPerParent: 0 }, 400, 'VALIDATION_ERROR'],
    ['a fractional limit', { maxParentsPerChild: 1.5 }, 400, 'VALIDATION_ERROR'],
  ])('rejects a relation with %s', async (_, more, status, code) => {
    expect(statusAndCode(await create(more))).toEqual([status, code]);
  });

  it('creates one relation per slug for concurrent requests', async () => {
    const responses = await Promise.all(Array.from({ length: 5 }, () => create()));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it('updates only the properties of the request', async () => {
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

  it('rejects a limit below the stored number of links, on both ends', async () => {
    await create();
    await addField(posts, { relation });
    const [a, b] = [await createEntry(admin, tags), await createEntry(admin, tags)];
    await createEntry(admin, posts, {}, { references: { link: [a.id, b.id] } });
    await createEntry(admin, posts, {}, { references: { link: [a.id] } });
    for (const limit of ['maxChildrenPerParent', 'maxParentsPerChild']) {
      const response = await admin.patch(`/relations/${relation}`, { [limit]: 1 });
      expect([...statusAndCode(response), issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', [limit]]);
      expect((await admin.patch(`/relations/${relation}`, { [limit]: 2 })).status).toBe(200);
    }
    expect((await get()).linkCount).toBe(3);
  });

  it('lists each relation with its own fields and links', async () => {
    await create();
    await addField(posts, { relation });
    expect((await create({ slug: `${relation}_other` })).status).toBe(201);
    const tag = await createEntry(admin, tags);
    await createEntry(admin, posts, {}, { references: { link: [tag.id] } });
    await createEntry(admin, posts, {}, { references: { link: [tag.id] } });
    const { relations } = (await admin.get(`/relations?collection=${posts}`)).data;
    expect(relations).toMatchObject([
      { slug: relation, linkCount: 2, boundFields: [{ fieldSlug: 'link', collectionSlug: posts }] },
      { slug: `${relation}_other`, linkCount: 0, boundFields: [] },
    ]);
  });

  it('deletes a relation in use only with force, with its fields and links', async () => {
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

describe('reference field with a target collection (document 3)', () => {
  it('creates the relation {collection}_{field} with the field’s label and a limit of one', async () => {
    const response = await addField(posts, { targetCollection: tags });
    expect(response.data.item.validation).toEqual({
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

  it('has no limit with multiple', async () => {
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

  it('renames its side of the relation when it is renamed', async () => {
    await addField(posts, { targetCollection: tags });
    await admin.put(fieldPath(posts, 'link'), { label: 'Topics' });
    expect(await get(`${posts}_link`)).toMatchObject({ childLabel: 'Topics', parentLabel: posts });
  });

  it('rejects another target and accepts the same one', async () => {
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

  it('deletes the relation with the field, and can be created again with another target', async () => {
    await addField(posts, { targetCollection: tags });
    const tag = await createEntry(admin, tags);
    const post = await createEntry(admin, posts, {}, { references: { link: [tag.id] } });
    await admin.delete(fieldPath(posts, 'link'));
    expect((await admin.get(`/relations/${posts}_link`)).status).toBe(404);
    expect((await addField(posts, { targetCollection: posts })).status).toBe(201);
    expect((await post.get()).references).toEqual({ link: { items: [] } });
  });

  it('keeps the relation while a field on its other end exists', async () => {
    await addField(posts, { targetCollection: tags });
    await addField(tags, { relation: `${posts}_link` });
    await admin.delete(fieldPath(posts, 'link'));
    expect((await get(`${posts}_link`)).boundFields).toEqual([
      { collectionSlug: tags, fieldSlug: 'link', side: 'child' },
    ]);
  });

  it('can be required only when every entry has a reference', async () => {
    await addField(posts, { targetCollection: tags });
    const [post, tag] = [await createEntry(admin, posts), await createEntry(admin, tags)];
    const require = () => admin.put(fieldPath(posts, 'link'), { required: true });
    expect(statusAndCode(await require())).toEqual([400, 'FIELD_UPDATE_REQUIRES_MIGRATION']);
    await post.put({ references: { link: [tag.id] } });
    expect((await require()).status).toBe(200);
  });

  it('is deleted with its target collection', async () => {
    await addField(posts, { targetCollection: tags });
    await createEntry(admin, posts);
    await admin.delete(`/schema/collections/${tags}`);
    expect((await admin.get(fieldPath(posts, 'link'))).status).toBe(404);
    expect((await admin.get(`/content/${posts}`)).status).toBe(200);
    expect((await admin.get(`/relations/${posts}_link`)).status).toBe(404);
  });
});

describe('reference field with a relation (document 3)', () => {
  beforeEach(() => create());

  it('is bound to the end of its collection', async () => {
    const parent = (await addField(posts, { relation })).data.item;
    expect(parent.validation).toEqual({ relation, relationSide: 'parent', targetCollection: tags });
    const child = (await addField(tags, { relation })).data.item;
    expect(child.validation).toEqual({ relation, relationSide: 'child', targetCollection: posts });
    await admin.put(fieldPath(tags, 'link'), { label: 'Articles' });
    expect((await get()).parentLabel).toBe('Articles');
  });

  it('exists once per end', async () => {
    await addField(posts, { relation });
    const response = await addField(posts, { relation }, { slug: 'second' });
    expect([...statusAndCode(response), issuePaths(response)]).toEqual([
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
    ['an unknown relation', () => ({ relation: 'nothing' }), 'validation.relation'],
    [
      'a target collection beside the relation',
      () => ({ relation, targetCollection: tags }),
      'validation.relation',
    ],
    ['a redundant relationSide', () => ({ relation, relationSide: 'parent' }), 'validation.relationSide'],
  ])('rejects %s', async (_, validation, path) => {
    const response = await addField(posts, validation());
    expect([...statusAndCode(response), issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', [path]]);
  });

  it('rejects a relation of other collections', async () => {
    await site.collection({ slug: 'other' });
    expect(issuePaths(await addField('other', { relation }))).toEqual(['validation.relation']);
  });

  it('needs relationSide within one collection', async () => {
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

describe('definition of a bound field (document 3)', () => {
  it.each([
    ['unknown target', { validation: { targetCollection: 'nothing' } }, 404, 'COLLECTION_NOT_FOUND'],
    ['indexed', { validation: { targetCollection: 'tags' }, indexed: true }, 400, 'FIELD_NOT_INDEXABLE'],
    ['searchable', { validation: { targetCollection: 'tags' }, searchable: true }, 400, 'VALIDATION_ERROR'],
    ['unique', { validation: { targetCollection: 'tags' }, unique: true }, 400, 'VALIDATION_ERROR'],
    ['a default', { validation: { targetCollection: 'tags' }, defaultValue: 'x' }, 400, 'VALIDATION_ERROR'],
  ])('rejects %s', async (_, { validation, ...more }, status, code) => {
    const target = validation.targetCollection === 'tags' ? { targetCollection: tags } : validation;
    expect(statusAndCode(await addField(posts, target, more))).toEqual([status, code]);
  });
});

describe('DELETE /schema/collections/{slug}', () => {
  it('deletes its relations and links', async () => {
    await create();
    await addField(posts, { relation });
    const tag = await createEntry(admin, tags);
    await createEntry(admin, posts, {}, { references: { link: [tag.id] } });
    await admin.delete(`/schema/collections/${posts}?force=true`);
    expect((await admin.get(`/relations/${relation}`)).status).toBe(404);
    expect(itemOf(await admin.get(tag.path)).id).toBe(tag.id);
  });
});
