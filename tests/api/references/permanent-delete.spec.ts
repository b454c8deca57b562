import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { identifier } from '@quire/database';
import { makeEntry, openSite, type Answer, type Client, type Site, type TestEntry } from '@quire/testing';
import { tenantSchema } from '@quire/tenancy';
import pg from 'pg';

let site: Site;
let admin: Client;
/** Holds rows, so that requests meet in the order that a test wants. */
let holder: pg.Client;
let count = 0;
/** Slugs of two collections of their own for each test: `books`, whose field `authors` selects many of `people`. */
let books: string;
let people: string;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
  const search = identifier(tenantSchema({ id: site.tenant }));
  holder = new pg.Client({
    connectionString: site.system.databaseUrl,
    options: `-c search_path=${search}`,
  });
  await holder.connect();
  await admin.post('/taxonomies', { name: 'tag', label: 'Tags', collections: [] });
});
beforeEach(async () => {
  count += 1;
  [books, people] = [`books_${count}`, `people_${count}`];
  await site.collection({ slug: people });
  await site.collection({ slug: books });
  const validation = { targetCollection: people, multiple: true };
  const field = { slug: 'authors', label: 'Authors', type: 'reference', validation };
  expect((await admin.post(`/schema/collections/${books}/fields`, field)).status).toBe(201);
});
afterAll(async () => {
  await holder.end();
  await site.close();
});

const person = (more: object = {}) => makeEntry(admin, people, {}, more);
const book = (authors: TestEntry[]) =>
  makeEntry(admin, books, {}, { references: { authors: authors.map(({ id }) => id) } });
const removeForGood = ({ path }: TestEntry) => admin.delete(`${path}/permanent`);
const linksTo = ({ item }: TestEntry) =>
  site.sql('SELECT 1 FROM reference_links WHERE child_group = $1', [item.translationGroup]);

/** Waits until so many statements wait for somebody else's lock on links or on entries of `people`. */
async function untilBlocked(number: number): Promise<void> {
  for (let turn = 0; turn < 500; turn += 1) {
    const rows = await site.sql(
      `SELECT DISTINCT a.pid FROM pg_stat_activity a JOIN pg_locks l USING (pid)
       WHERE a.wait_event_type = 'Lock' AND l.relation IN ('reference_links'::regclass, $1::regclass)`,
      [`content_${people}`],
    );
    if (rows.length >= number) return;
    await new Promise((done) => setTimeout(done, 10));
  }
  throw new Error('Nobody waits');
}

describe('deleting the last translations of an entry for good, all at once', () => {
  it('takes the links and terms of the group too', async () => {
    const ann = await person();
    const german = await person({ locale: 'de', translationOf: ann.id });
    await book([ann]);
    await admin.put('/taxonomies/tag', { collections: [people] });
    await admin.post('/taxonomies/tag/terms', { label: `Term ${count}` });
    const { terms } = (await admin.get('/taxonomies/tag/terms')).data;
    const set = await admin.post(`${ann.path}/terms/tag`, { termIds: [terms[0].id] });
    expect(set.data.terms).toHaveLength(1);
    await Promise.all([ann.remove(), german.remove()]);

    await holder.query('BEGIN');
    await holder.query(`SELECT 1 FROM content_${people} FOR UPDATE`);
    const answers = Promise.all([ann, german].map(removeForGood));
    await untilBlocked(2);
    await holder.query('COMMIT');
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
    first: () => Promise<Answer>,
    second: () => Promise<Answer>,
  ): Promise<number[]> {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM reference_links WHERE child_group = $1 FOR UPDATE', [held.id]);
    const answers = [first()];
    await untilBlocked(1);
    answers.push(second());
    await Promise.race([answers[1], untilBlocked(2)]);
    await holder.query('COMMIT');
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

describe('entries that select each other at the same time', () => {
  it('do not wait for each other for good', async () => {
    const validation = { relation: `${books}_authors` };
    const field = { slug: 'books', label: 'Books', type: 'reference', validation };
    expect((await admin.post(`/schema/collections/${people}/fields`, field)).status).toBe(201);
    const [ann, first] = [await person(), await book([])];
    const answers = await Promise.all([
      ann.put({ references: { books: [first.id] } }),
      first.put({ references: { authors: [ann.id] } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await linksTo(ann)).toHaveLength(1);
  });
});
