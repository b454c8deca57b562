import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  itemOf,
  issuePaths,
  createEntry,
  openSite,
  statusAndCode,
  type ApiResponse,
  type Client,
  type Site,
  type TestEntry,
} from '@quire/testing';

let site: Site;
let admin: Client;
let ann: TestEntry;
let ben: TestEntry;

beforeAll(async () => {
  site = await openSite();
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
afterAll(() => site.close());

const create = (data: object, more: object = {}) => admin.post('/content/books', { data, ...more });
const book = (data: object = {}) => createEntry(admin, 'books', { body: undefined, ...data });
async function removeForGood({ path }: TestEntry): Promise<void> {
  await admin.delete(path);
  expect((await admin.delete(`${path}/permanent`)).status).toBe(200);
}
const refused = (answer: ApiResponse, ...fields: string[]) =>
  expect([...statusAndCode(answer), issuePaths(answer)]).toEqual([400, 'VALIDATION_ERROR', fields]);

describe('a plain reference field that names a collection (contract 6, field values)', () => {
  it('takes ids of entries there, one or several', async () => {
    const { data } = itemOf(await create({ author: ann.id, editors: [ben.id, ann.id] }));
    expect(data).toEqual({ author: ann.id, editors: [ben.id, ann.id] });
  });

  it('refuses an id of nothing, of another collection and of what lies in the trash, naming the field', async () => {
    const other = await book();
    await ben.remove();
    for (const id of ['nothing', other.id, ben.id]) {
      const answer = await create({ author: id });
      refused(answer, 'author');
      expect(answer.error.message).toBe(`author: '${id}' not found in 'people'`);
      refused(await create({ editors: [ann.id, id] }), 'editors');
      refused(await other.put({ data: { author: id } }), 'author');
    }
  });

  it('refuses it together with whatever else is wrong', async () => {
    refused(
      await create({ author: 'nothing', title: 1, editors: [ann.id, 'nowhere'] }),
      'title',
      'author',
      'editors',
    );
  });

  it('refuses every id when the collection is not there', async () => {
    refused(await create({ lost: ann.id }), 'lost');
  });

  it('of none takes any text', async () => {
    expect(itemOf(await create({ anything: 'nothing' })).data.anything).toBe('nothing');
  });
});

describe('a plain reference to an entry that has gone since', () => {
  it('may stay as it is, and others beside it may change', async () => {
    const entry = await book({ author: ann.id, editors: [ann.id] });
    await removeForGood(ann);
    const answer = await entry.put({ data: { title: 'New', author: ann.id, editors: [ben.id, ann.id] } });
    expect(itemOf(answer).data).toMatchObject({ author: ann.id, editors: [ben.id, ann.id] });
    refused(await (await book({ author: ben.id })).put({ data: { author: ann.id } }), 'author');
  });

  it('does not hinder publishing what was stored before, but what was staged since', async () => {
    const [before, since] = [await book({ author: ann.id }), await book({ author: ben.id })];
    await since.publish();
    await since.put({ data: { author: ann.id } });
    await removeForGood(ann);
    expect((await before.publish()).status).toBe(200);
    refused(await since.publish(), 'author');
  });

  it('is not copied into a duplicate', async () => {
    const entry = await book({ author: ann.id });
    await removeForGood(ann);
    refused(await entry.duplicate(), 'author');
  });

  it('does not come back with a revision, unless the entry holds it still', async () => {
    const entry = await book({ author: ben.id });
    await entry.put({ data: { author: ann.id } });
    const [revision] = (await admin.get(`${entry.path}/revisions`)).data.items;
    const restore = () => admin.post(`/revisions/${revision.id}/restore`);
    await removeForGood(ann);
    expect((await restore()).status).toBe(200);
    await entry.put({ data: { author: ben.id } });
    refused(await restore(), 'author');
  });

  it('stays with what translations share', async () => {
    const shared = { slug: 'shared', label: 'Shared', type: 'reference', translatable: false };
    const options = { collection: 'people' };
    await admin.post('/schema/collections/books/fields', { ...shared, options });
    const entry = await book({ shared: ann.id });
    await removeForGood(ann);
    const german = await create({}, { locale: 'de', translationOf: entry.id });
    expect(itemOf(german).data.shared).toBe(ann.id);
    await admin.delete('/schema/collections/books/fields/shared');
  });
});
