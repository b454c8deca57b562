import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  openRowLock,
  openSite,
  waitUntilBlocked,
  type ApiResponse,
  type Client,
  type RowLock,
  type Site,
  type TestEntry,
} from '@quire/testing';
import { addReference, createLibrary } from './support/library.js';

let site: Site;
let admin: Client;
let rowLock: RowLock;
/** Slugs of two collections of their own for each test: `books`, whose field `authors` selects many of `people`. */
let books: string;
let people: string;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
  rowLock = await openRowLock(site);
  await admin.post('/taxonomies', { name: 'tag', label: 'Tags', collections: [] });
});
beforeEach(async () => void ({ books, people } = await createLibrary(site)));
afterAll(async () => {
  await rowLock.close();
  await site.close();
});

const person = (more: object = {}) => createEntry(admin, people, {}, more);
const book = (authors: TestEntry[]) =>
  createEntry(admin, books, {}, { references: { authors: authors.map(({ id }) => id) } });
const removeForGood = ({ path }: TestEntry) => admin.delete(`${path}/permanent`);
const linksTo = ({ item }: TestEntry) =>
  site.sql('SELECT 1 FROM reference_links WHERE child_group = $1', [item.translationGroup]);

const blocked = (count: number) =>
  waitUntilBlocked(site, ['reference_links', `content_${people}`, `content_${books}`], count);

describe('deleting the last translations of an entry for good, all at once', () => {
  it('takes the links and terms of the group too', async () => {
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
    const answers = Promise.all([ann, german].map(removeForGood));
    await blocked(2);
    await rowLock.release();
    expect((await answers).map(({ status }) => status)).toEqual([200, 200]);
    expect(await linksTo(ann)).toEqual([]);
    expect(await site.sql('SELECT 1 FROM entry_terms WHERE entry_group = $1', [ann.id])).toEqual([]);
  });
});

describe('deleting an entry for good while a draft that selects it is published', () => {
  let ann: TestEntry;
  let ben: TestEntry;
  /** Published with `ben`; its draft selects `ann`. */
  let staging: TestEntry;
  beforeEach(async () => {
    [ann, ben] = [await person(), await person()];
    staging = await book([ben]);
    await staging.publish();
    expect((await staging.put({ references: { authors: [ann.id] } })).status).toBe(200);
  });

  /** Makes both come in while a link is held that the first of them removes. */
  async function meeting(
    held: TestEntry,
    first: () => Promise<ApiResponse>,
    second: () => Promise<ApiResponse>,
  ): Promise<number[]> {
    await rowLock.acquire('SELECT 1 FROM reference_links WHERE child_group = $1 FOR UPDATE', [held.id]);
    const answers = [first()];
    await blocked(1);
    answers.push(second());
    await Promise.race([answers[1], blocked(2)]);
    await rowLock.release();
    return (await Promise.all(answers)).map(({ status }) => status);
  }
  const publish = () => staging.publish();
  const remove = () => removeForGood(ann);

  it('leaves it out when the deletion is first', async () => {
    await book([ann]);
    await ann.remove();
    expect(await meeting(ann, remove, publish)).toEqual([200, 200]);
    expect(await linksTo(ann)).toEqual([]);
    expect((await staging.get()).item.status).toBe('published');
  });

  it('removes its link again when the publication is first', async () => {
    await ann.remove();
    expect(await meeting(ben, publish, remove)).toEqual([200, 200]);
    expect(await linksTo(ann)).toEqual([]);
    expect(await linksTo(ben)).toEqual([]);
  });
});

describe('a selection that is sent for a translation while another one is published', () => {
  let ann: TestEntry;
  let ben: TestEntry;
  /** Selects `ann`; its publication is held up until both writers have met. */
  let english: TestEntry;
  beforeEach(async () => {
    [ann, ben] = [await person(), await person()];
    english = await book([ann]);
  });
  async function whilePublished(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
    await rowLock.acquire(`UPDATE content_${books} SET status = 'published' WHERE id = $1`, [english.id]);
    const answer = send();
    await blocked(1);
    await rowLock.release();
    return answer;
  }
  const references = () => ({ authors: [ben.id] });

  it('waits in the draft', async () => {
    const german = await createEntry(admin, books, {}, { locale: 'de', translationOf: english.id });
    expect((await whilePublished(() => german.put({ references: references() }))).status).toBe(200);
    expect([await linksTo(ann), await linksTo(ben)].map(({ length }) => length)).toEqual([1, 0]);
  });

  it('waits in the draft of one that is just being made', async () => {
    const body = () => ({ data: {}, locale: 'de', translationOf: english.id, references: references() });
    const made = await whilePublished(() => admin.post(`/content/${books}`, body()));
    expect(made.status).toBe(201);
    expect([await linksTo(ann), await linksTo(ben)].map(({ length }) => length)).toEqual([1, 0]);
  });
});

describe('a selection that is being staged while the relation is deleted', () => {
  it('does not come back under a field that is made again', async () => {
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
