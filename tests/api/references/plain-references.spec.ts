import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  issuePaths,
  itemOf,
  statusAndCode,
  useSite,
  type ApiResponse,
  type Client,
  type TestEntry,
} from '@quire/testing';

const site = useSite();
let admin: Client;
let ann: TestEntry;
let ben: TestEntry;

beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection({ slug: 'people' });
  const plain = (slug: string, options: object | null) =>
    ({ slug, type: 'reference', options: options as Record<string, unknown> | null }) as const;
  await site.collection({
    slug: 'books',
    fields: [
      { slug: 'title', type: 'string' },
      plain('author', { collection: 'people' }),
      plain('editors', { collection: 'people', allowMultiple: true }),
      plain('anything', null),
      plain('lost', { collection: 'nothing' }),
    ],
  });
});
beforeEach(async () => {
  [ann, ben] = [await createEntry(admin, 'people'), await createEntry(admin, 'people')];
});

const create = (data: object, more: object = {}) => admin.post('/content/books', { data, ...more });
const book = (data: object = {}) => createEntry(admin, 'books', { body: undefined, ...data });
async function deletePermanently({ path }: TestEntry): Promise<void> {
  await admin.delete(path);
  expect((await admin.delete(`${path}/permanent`)).status).toBe(200);
}
const expectIssues = (response: ApiResponse, ...fields: string[]) =>
  expect([...statusAndCode(response), issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', fields]);

describe('plain reference field with a collection (contract 6, field values)', () => {
  it('accepts one or several ids of entries of the collection', async () => {
    const { data } = itemOf(await create({ author: ann.id, editors: [ben.id, ann.id] }));
    expect(data).toEqual({ author: ann.id, editors: [ben.id, ann.id] });
  });

  it('rejects unknown ids and ids of other collections and trashed entries with the path of the field', async () => {
    const other = await book();
    await ben.remove();
    for (const id of ['nothing', other.id, ben.id]) {
      const response = await create({ author: id });
      expectIssues(response, 'author');
      expect(response.error.message).toBe(`author: '${id}' not found in 'people'`);
      expectIssues(await create({ editors: [ann.id, id] }), 'editors');
      expectIssues(await other.put({ data: { author: id } }), 'author');
    }
  });

  it('reports invalid references together with other issues', async () => {
    expectIssues(
      await create({ author: 'nothing', title: 1, editors: [ann.id, 'nowhere'] }),
      'title',
      'author',
      'editors',
    );
  });

  it('rejects every id when the collection does not exist', async () => {
    expectIssues(await create({ lost: ann.id }), 'lost');
  });

  it('accepts any text without a collection', async () => {
    expect(itemOf(await create({ anything: 'nothing' })).data.anything).toBe('nothing');
  });
});

describe('plain reference to a deleted entry', () => {
  it('can be kept while other ids of the field change', async () => {
    const entry = await book({ author: ann.id, editors: [ann.id] });
    await deletePermanently(ann);
    const response = await entry.put({ data: { title: 'New', author: ann.id, editors: [ben.id, ann.id] } });
    expect(itemOf(response).data).toMatchObject({ author: ann.id, editors: [ben.id, ann.id] });
    expectIssues(await (await book({ author: ben.id })).put({ data: { author: ann.id } }), 'author');
  });

  it('does not block publication unless it was staged after the last publication', async () => {
    const [stored, staged] = [await book({ author: ann.id }), await book({ author: ben.id })];
    await staged.publish();
    await staged.put({ data: { author: ann.id } });
    await deletePermanently(ann);
    expect((await stored.publish()).status).toBe(200);
    expectIssues(await staged.publish(), 'author');
  });

  it('is rejected in a duplicate', async () => {
    const entry = await book({ author: ann.id });
    await deletePermanently(ann);
    expectIssues(await entry.duplicate(), 'author');
  });

  it('is restored with a revision only if the entry still has it', async () => {
    const entry = await book({ author: ben.id });
    await entry.put({ data: { author: ann.id } });
    const [revision] = (await admin.get(`${entry.path}/revisions`)).data.items;
    const restore = () => admin.post(`/revisions/${revision.id}/restore`);
    await deletePermanently(ann);
    expect((await restore()).status).toBe(200);
    await entry.put({ data: { author: ben.id } });
    expectIssues(await restore(), 'author');
  });

  it('is copied to translations in shared fields', async () => {
    const shared = { slug: 'shared', label: 'Shared', type: 'reference', translatable: false };
    const options = { collection: 'people' };
    await admin.post('/schema/collections/books/fields', { ...shared, options });
    const entry = await book({ shared: ann.id });
    await deletePermanently(ann);
    const german = await create({}, { locale: 'de', translationOf: entry.id });
    expect(itemOf(german).data.shared).toBe(ann.id);
    await admin.delete('/schema/collections/books/fields/shared');
  });
});
