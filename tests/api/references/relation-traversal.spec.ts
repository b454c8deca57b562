import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  issuePaths,
  openSite,
  statusAndCode,
  useSite,
  type Client,
  type TestEntry,
} from '@quire/testing';
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
beforeEach(async () => {
  ({ posts, tags, relation } = await createPostsAndTags(site));
  expect((await admin.post('/relations', relationBetween(posts, tags, relation))).status).toBe(201);
});

describe('GET /content/{collection}/{id}/references/{relation}/children and /parents (contract 10)', () => {
  const path = (collection: string, id: string, end: string, name = relation) =>
    `/content/${collection}/${id}/references/${name}/${end}`;

  it('list children and parents without a field on the relation', async () => {
    const [a, b] = [await createEntry(admin, tags), await createEntry(admin, tags)];
    const post = await createEntry(admin, posts);
    const set = await admin.post(path(posts, post.id, 'children'), { childIds: [b.id, a.id] });
    expect(set.status).toBe(200);
    expect(set.data.children.map(({ id }: { id: string }) => id)).toEqual([b.id, a.id]);
    expect((await admin.get(path(posts, post.id, 'children'))).data).toEqual(set.data);
    const { parents } = (await admin.get(path(tags, a.id, 'parents'))).data;
    expect(parents).toEqual([expect.objectContaining({ id: post.id, collection: posts })]);
    expect(parents[0]).not.toHaveProperty('sortOrder');
  });

  it('paginate', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.push((await createEntry(admin, tags)).id);
    const post = await createEntry(admin, posts);
    await admin.post(path(posts, post.id, 'children'), { childIds: ids });
    const first = (await admin.get(`${path(posts, post.id, 'children')}?limit=3`)).data;
    const second = (await admin.get(`${path(posts, post.id, 'children')}?limit=3&cursor=${first.nextCursor}`))
      .data;
    expect([...first.children, ...second.children].map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(second).not.toHaveProperty('nextCursor');
    const other = await createEntry(admin, posts);
    const foreign = await admin.get(`${path(posts, other.id, 'children')}?cursor=${first.nextCursor}`);
    expect(statusAndCode(foreign)).toEqual([400, 'INVALID_CURSOR']);
  });

  it('paginate parents, which have no order', async () => {
    const tag = await createEntry(admin, tags);
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      const post = await createEntry(admin, posts);
      await admin.post(path(posts, post.id, 'children'), { childIds: [tag.id] });
      ids.push(post.id);
    }
    const first = (await admin.get(`${path(tags, tag.id, 'parents')}?limit=2`)).data;
    const second = (await admin.get(`${path(tags, tag.id, 'parents')}?limit=2&cursor=${first.nextCursor}`))
      .data;
    expect([...first.parents, ...second.parents].map(({ id }: { id: string }) => id)).toEqual(ids.sort());
    expect(second).not.toHaveProperty('nextCursor');
  });

  it('reject the wrong end of the relation, and unknown relations and entries', async () => {
    const [post, tag] = [await createEntry(admin, posts), await createEntry(admin, tags)];
    for (const [response, expected] of [
      [await admin.get(path(tags, tag.id, 'children')), [400, 'VALIDATION_ERROR']],
      [await admin.get(path(posts, post.id, 'parents')), [400, 'VALIDATION_ERROR']],
      [await admin.get(path(posts, post.id, 'children', 'nothing')), [404, 'NOT_FOUND']],
      [await admin.get(path(posts, 'nothing', 'children')), [404, 'NOT_FOUND']],
      [await admin.get(path('nothing', 'x', 'children')), [404, 'COLLECTION_NOT_FOUND']],
      [await admin.post(path(posts, post.id, 'children'), { childIds: ['nothing'] }), [404, 'NOT_FOUND']],
      [await admin.post(path(posts, post.id, 'children'), { childIds: 'x' }), [400, 'VALIDATION_ERROR']],
      [await admin.get(`${path(posts, post.id, 'children')}?cursor=x`), [400, 'INVALID_CURSOR']],
    ] as const)
      expect(statusAndCode(response)).toEqual(expected);
  });

  it('are readable for published entries; writing requires the right to edit', async () => {
    const [post, tag] = [await createEntry(admin, posts), await createEntry(admin, tags)];
    await admin.post(path(posts, post.id, 'children'), { childIds: [tag.id] });
    const reader = await site.as('subscriber');
    expect((await reader.get(path(posts, post.id, 'children'))).status).toBe(404);
    await post.publish();
    expect((await reader.get(path(posts, post.id, 'children'))).data.children).toEqual([]);
    await tag.publish();
    expect((await reader.get(path(posts, post.id, 'children'))).data.children).toHaveLength(1);
    for (const role of ['subscriber', 'contributor', 'author'] as const)
      expect(
        (await (await site.as(role)).post(path(posts, post.id, 'children'), { childIds: [] })).status,
      ).toBe(403);
    const readOnly = await site.withScopes('editor', ['content:read']);
    expect(statusAndCode(await readOnly.post(path(posts, post.id, 'children'), { childIds: [] }))).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
    ]);
  });

  it('cannot be written while another user holds the edit lock', async () => {
    const post = await createEntry(admin, posts);
    await (await site.another('editor', 'holder')).post(`${post.path}/lock`);
    const body = { childIds: [] };
    expect(statusAndCode(await admin.post(path(posts, post.id, 'children'), body))).toEqual([
      409,
      'ENTRY_LOCKED',
    ]);
    const overridden = await admin.post(path(posts, post.id, 'children'), { ...body, overrideLock: true });
    expect(overridden.status).toBe(200);
  });
});

describe('POST /content/{collection}/{id}/references/{relation}/children (contract 10)', () => {
  let post: TestEntry;
  let tag: TestEntry;
  beforeEach(async () => {
    [post, tag] = [await createEntry(admin, posts), await createEntry(admin, tags)];
  });
  const set = (...childIds: string[]) =>
    admin.post(`${post.path}/references/${relation}/children`, { childIds });
  const children = async () =>
    (await admin.get(`${post.path}/references/${relation}/children`)).data.children;

  it('rejects a repeated entry, also as a translation, and changes nothing (decision 6)', async () => {
    const german = await createEntry(admin, tags, {}, { locale: 'de', translationOf: tag.id });
    const other = await createEntry(admin, tags);
    for (const twice of [tag.id, german.id]) {
      const response = await set(tag.id, other.id, twice);
      expect([...statusAndCode(response), issuePaths(response)]).toEqual([
        400,
        'VALIDATION_ERROR',
        ['childIds.2'],
      ]);
    }
    expect(await children()).toEqual([]);
  });

  it('rejects an empty list when a field of the entry is required', async () => {
    const field = { slug: 'link', label: 'Link', type: 'reference', validation: { relation } };
    expect((await set(tag.id)).status).toBe(200);
    await post.publish();
    expect((await set()).status).toBe(200);
    expect((await set(tag.id)).status).toBe(200);
    const created = await admin.post(`/schema/collections/${posts}/fields`, field);
    expect(created.status).toBe(201);
    await admin.put(`/schema/collections/${posts}/fields/link`, { required: true });
    const response = await set();
    expect([...statusAndCode(response), issuePaths(response)]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['childIds'],
    ]);
    expect(await children()).toHaveLength(1);
  });
});

describe('permissions of the reference operations (contract 3 and 10)', () => {
  it('require the permission and the scope content:read', async () => {
    const [post, tag] = [await createEntry(admin, posts), await createEntry(admin, tags)];
    await admin.post(`${post.path}/references/${relation}/children`, { childIds: [tag.id] });
    await Promise.all([post.publish(), tag.publish()]);
    const writer = await site.withScopes('admin', ['content:write', 'schema:read']);
    const reader = await site.withScopes('subscriber', ['content:read']);
    for (const path of [
      `${post.path}/references/${relation}/children`,
      `${tag.path}/references/${relation}/parents`,
    ]) {
      expect(statusAndCode(await site.anonymous().get(path))).toEqual([401, 'NOT_AUTHENTICATED']);
      expect(statusAndCode(await writer.get(path))).toEqual([403, 'INSUFFICIENT_SCOPE']);
      expect((await reader.get(path)).status).toBe(200);
    }
  });
});

describe('entries and relations of another site', () => {
  it('return 404 NOT_FOUND', async () => {
    const otherSite = await openSite();
    const other = await otherSite.as('admin');
    await otherSite.collection({ slug: posts });
    await otherSite.collection({ slug: tags });
    const own = await other.post('/relations', relationBetween(posts, tags, 'own'));
    expect(own.status).toBe(201);
    const ownPost = await createEntry(other, posts);
    const [post, tag] = [await createEntry(admin, posts), await createEntry(admin, tags)];
    const { id } = (await admin.get(`/relations/${relation}`)).data.relation;
    await admin.post(`${post.path}/references/${relation}/children`, { childIds: [tag.id] });

    const missing = [404, 'NOT_FOUND'];
    for (const name of [id, relation]) {
      expect(statusAndCode(await other.get(`/relations/${name}`))).toEqual(missing);
      expect(statusAndCode(await other.patch(`/relations/${name}`, { childLabel: 'Other' }))).toEqual(
        missing,
      );
      expect(statusAndCode(await other.delete(`/relations/${name}?force=true`))).toEqual(missing);
      expect(statusAndCode(await other.get(`${ownPost.path}/references/${name}/children`))).toEqual(missing);
    }
    const ownReferences = '/references/own';
    expect(statusAndCode(await other.get(`${post.path}${ownReferences}/children`))).toEqual(missing);
    expect(statusAndCode(await other.get(`${tag.path}${ownReferences}/parents`))).toEqual(missing);
    expect(
      statusAndCode(await other.post(`${post.path}${ownReferences}/children`, { childIds: [] })),
    ).toEqual(missing);
    expect(
      statusAndCode(await other.post(`${ownPost.path}${ownReferences}/children`, { childIds: [tag.id] })),
    ).toEqual(missing);
    const links = await admin.get(`${post.path}/references/${id}/children`);
    expect(links.data.children.map((child: { id: string }) => child.id)).toEqual([tag.id]);
    expect((await admin.get(`/relations/${id}`)).data.relation).toMatchObject({ childLabel: 'Tags' });
    await otherSite.close();
  });
});
