import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  statusAndCode,
  useRowLock,
  useSite,
  waitUntilBlocked,
  type ApiResponse,
  type Client,
  type TestEntry,
} from '@quire/testing';
import { addReference, createLibrary, createPostsAndTags } from './support.js';

const site = useSite();
const rowLock = useRowLock(site);
let admin: Client;
/** Slugs of two collections, new for each test: `books`, whose field `authors` references many of `people`. */
let books: string;
let people: string;

beforeAll(async () => {
  admin = await site.as('admin');
  await admin.post('/taxonomies', { name: 'tag', label: 'Tags', collections: [] });
});
beforeEach(async () => void ({ books, people } = await createLibrary(site)));

const person = (more: object = {}) => createEntry(admin, people, {}, more);
const book = (authors: TestEntry[]) =>
  createEntry(admin, books, {}, { references: { authors: authors.map(({ id }) => id) } });
const deletePermanently = ({ path }: TestEntry) => admin.delete(`${path}/permanent`);
const linksTo = ({ item }: TestEntry) =>
  site.sql('SELECT 1 FROM reference_links WHERE child_group = $1', [item.translationGroup]);

const blocked = (count: number) =>
  waitUntilBlocked(site, ['reference_links', `content_${people}`, `content_${books}`], count);

describe('concurrent permanent deletion of the last translations of an entry', () => {
  it('deletes the links and terms of the group', async () => {
    const ann = await person();
    const german = await person({ locale: 'de', translationOf: ann.id });
    await book([ann]);
    await admin.put('/taxonomies/tag', { collections: [people] });
    await admin.post('/taxonomies/tag/terms', { label: 'Term' });
    const { terms } = (await admin.get('/taxonomies/tag/terms')).data;
    const set = await admin.post(`${ann.path}/terms/tag`, { termIds: [terms[0].id] });
    expect(set.data.terms).toHaveLength(1);
    await Promise.all([ann.remove(), german.remove()]);

    await rowLock.acquire(`SELECT 1 FROM content_${people} FOR UPDATE`);
    const responses = Promise.all([ann, german].map(deletePermanently));
    await blocked(2);
    await rowLock.release();
    expect((await responses).map(({ status }) => status)).toEqual([200, 200]);
    expect(await linksTo(ann)).toEqual([]);
    expect(await site.sql('SELECT 1 FROM entry_terms WHERE entry_group = $1', [ann.id])).toEqual([]);
  });
});

describe('permanent deletion of an entry while a draft that references it is published', () => {
  let ann: TestEntry;
  let ben: TestEntry;
  /** Published with `ben`; its draft references `ann`. */
  let staging: TestEntry;
  beforeEach(async () => {
    [ann, ben] = [await person(), await person()];
    staging = await book([ben]);
    await staging.publish();
    expect((await staging.put({ references: { authors: [ann.id] } })).status).toBe(200);
  });

  /** Starts both while a link is locked that the first one deletes. @returns the statuses */
  async function race(
    locked: TestEntry,
    first: () => Promise<ApiResponse>,
    second: () => Promise<ApiResponse>,
  ): Promise<number[]> {
    await rowLock.acquire('SELECT 1 FROM reference_links WHERE child_group = $1 FOR UPDATE', [locked.id]);
    const responses = [first()];
    await blocked(1);
    responses.push(second());
    await Promise.race([responses[1], blocked(2)]);
    await rowLock.release();
    return (await Promise.all(responses)).map(({ status }) => status);
  }
  const publish = () => staging.publish();
  const remove = () => deletePermanently(ann);

  it('publishes without the reference when the deletion is first', async () => {
    await book([ann]);
    await ann.remove();
    expect(await race(ann, remove, publish)).toEqual([200, 200]);
    expect(await linksTo(ann)).toEqual([]);
    expect((await staging.get()).item.status).toBe('published');
  });

  it('deletes the published link when the publication is first', async () => {
    await ann.remove();
    expect(await race(ben, publish, remove)).toEqual([200, 200]);
    expect(await linksTo(ann)).toEqual([]);
    expect(await linksTo(ben)).toEqual([]);
  });
});

describe('references of a translation while another translation is published', () => {
  let ann: TestEntry;
  let ben: TestEntry;
  /** References `ann`; a lock delays its publication until both writers are in progress. */
  let english: TestEntry;
  beforeEach(async () => {
    [ann, ben] = [await person(), await person()];
    english = await book([ann]);
  });
  async function whilePublished(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
    await rowLock.acquire(`UPDATE content_${books} SET status = 'published' WHERE id = $1`, [english.id]);
    const response = send();
    await blocked(1);
    await rowLock.release();
    return response;
  }
  const references = () => ({ authors: [ben.id] });

  it('are staged in the draft', async () => {
    const german = await createEntry(admin, books, {}, { locale: 'de', translationOf: english.id });
    expect((await whilePublished(() => german.put({ references: references() }))).status).toBe(200);
    expect([await linksTo(ann), await linksTo(ben)].map(({ length }) => length)).toEqual([1, 0]);
  });

  it('are staged in the draft of a new translation', async () => {
    const body = () => ({ data: {}, locale: 'de', translationOf: english.id, references: references() });
    const created = await whilePublished(() => admin.post(`/content/${books}`, body()));
    expect(created.status).toBe(201);
    expect([await linksTo(ann), await linksTo(ben)].map(({ length }) => length)).toEqual([1, 0]);
  });
});

describe('writers of a relation', () => {
  let ann: TestEntry;
  let ben: TestEntry;
  let first: TestEntry;
  let second: TestEntry;
  beforeEach(async () => {
    [ann, ben] = [await person(), await person()];
    [first, second] = [await book([]), await book([])];
  });
  const select = (entry: TestEntry, author: TestEntry) => entry.put({ references: { authors: [author.id] } });
  const delay = ({ id }: TestEntry) =>
    rowLock.acquire(`SELECT 1 FROM content_${people} WHERE id = $1 FOR UPDATE`, [id]);

  it('do not wait for each other while it has no limits', async () => {
    await delay(ann);
    const delayed = select(first, ann);
    await blocked(1);
    expect((await select(second, ben)).status).toBe(200);
    await rowLock.release();
    expect((await delayed).status).toBe(200);
  });

  it('count for a limit that is introduced meanwhile', async () => {
    await select(second, ann);
    await delay(ann);
    const written = select(first, ann);
    await blocked(1);
    const limited = admin.patch(`/relations/${books}_authors`, { maxParentsPerChild: 1 });
    await waitUntilBlocked(site, ['relations'], 2);
    await rowLock.release();
    expect([(await written).status, (await limited).status]).toEqual([200, 400]);
    expect(await linksTo(ann)).toHaveLength(2);
  });

  it('obey a limit that was introduced while they waited', async () => {
    await rowLock.acquire('SELECT 1 FROM relations WHERE slug = $1 FOR UPDATE', [`${books}_authors`]);
    await rowLock.acquire('UPDATE relations SET max_parents_per_child = 1 WHERE slug = $1', [
      `${books}_authors`,
    ]);
    const responses = Promise.all([first, second].map((entry) => select(entry, ann)));
    await waitUntilBlocked(site, ['relations'], 2);
    await rowLock.release();
    expect((await responses).map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await linksTo(ann)).toHaveLength(1);
  });
});

describe('references that are staged while the relation is deleted', () => {
  it('do not reappear in a new field of the same name', async () => {
    const [ann, ben] = [await person(), await person()];
    const entry = await book([ann]);
    await entry.publish();
    await rowLock.acquire(`SELECT 1 FROM content_${books} WHERE id = $1 FOR UPDATE`, [entry.id]);
    const staged = entry.put({ references: { authors: [ben.id] } });
    await blocked(1);
    const deleted = admin.delete(`/relations/${books}_authors?force=true`);
    await Promise.race([deleted, blocked(2)]);
    await rowLock.release();
    expect([(await staged).status, (await deleted).status]).toEqual([200, 200]);
    await addReference(admin, books, 'authors', { targetCollection: people, multiple: true });
    expect((await entry.get()).references.authors.items).toEqual([]);
  });
});

describe('a new reference field while its target collection is deleted', () => {
  it('is rejected, and leaves no relation', async () => {
    const { posts } = await createPostsAndTags(site);
    const ann = await person();
    await ann.publish();
    await rowLock.acquire('SELECT 1 FROM revisions WHERE collection = $1 FOR UPDATE', [people]);
    const deletion = admin.delete(`/schema/collections/${people}?force=true`);
    await waitUntilBlocked(site, ['revisions']);
    const field = { slug: 'by', label: 'By', type: 'reference', validation: { targetCollection: people } };
    const creation = admin.post(`/schema/collections/${posts}/fields`, field);
    await waitUntilBlocked(site, ['collections'], 2);
    await rowLock.release();
    expect((await deletion).status).toBe(200);
    expect(statusAndCode(await creation)).toEqual([404, 'COLLECTION_NOT_FOUND']);
    expect(await site.sql('SELECT 1 FROM relations WHERE child_collection = $1', [people])).toEqual([]);
  });
});
