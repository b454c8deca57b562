import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  issuePaths,
  createEntry,
  openSite,
  statusAndCode,
  type Client,
  type Site,
  type TestEntry,
} from '@quire/testing';
import { addReference, createLibrary, seen } from './support/library.js';

let site: Site;
let admin: Client;
let reader: Client;
/** Slugs of two collections with revisions: `books`, whose field `authors` selects many of `people`. */
let books: string;
let people: string;
let ann: TestEntry;
let ben: TestEntry;
/** Published, and selects `ann`. */
let english: TestEntry;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
  reader = await site.as('subscriber');
});
beforeEach(async () => {
  ({ books, people } = await createLibrary(site));
  [ann, ben] = [await createEntry(admin, people), await createEntry(admin, people)];
  await Promise.all([ann.publish(), ben.publish()]);
  english = await createEntry(admin, books, {}, selecting(ann));
  await english.publish();
});
afterAll(() => site.close());

const selecting = (...entries: TestEntry[]) => ({ references: { authors: entries.map(({ id }) => id) } });
const translate = (more: object = {}, original = english, collection = books) =>
  createEntry(admin, collection, {}, { locale: 'de', translationOf: original.id, ...more });

describe('a selection that translations share while one of them is published (document 1, Content entry)', () => {
  it('waits in the draft of another that is not: readers see what is live', async () => {
    const german = await translate();
    expect((await german.put(selecting(ben))).status).toBe(200);
    expect([await seen(admin, german), await seen(reader, english)]).toEqual([[ben.id], [ann.id]]);
  });

  it('goes live for all when that one is published', async () => {
    const german = await translate();
    await german.put(selecting(ben));
    await german.publish();
    expect([await seen(reader, german), await seen(reader, english)]).toEqual([[ben.id], [ben.id]]);
  });

  it('waits in a draft of a translation that is made with it, beside its values', async () => {
    const german = await translate(selecting());
    expect(german.item).toMatchObject({
      status: 'draft',
      draftRevisionId: expect.any(String),
      data: { body: 'old' },
    });
    expect([await seen(admin, german), await seen(reader, english)]).toEqual([[], [ann.id]]);
    await german.put({ data: { body: 'new' } });
    await german.publish();
    expect((await german.get()).item.data).toMatchObject({ title: german.item.data.title, body: 'new' });
    expect(await seen(reader, english)).toEqual([]);
  });

  it('waits with the credits of such a translation too', async () => {
    const byline = (await admin.post('/admin/bylines', { slug: 'ann', displayName: 'Ann' })).data;
    const german = await translate({ ...selecting(ben), bylines: [{ bylineId: byline.id }] });
    expect(german.item.bylines).toHaveLength(1);
    expect([await seen(admin, german), await seen(reader, english)]).toEqual([[ben.id], [ann.id]]);
  });

  it('is dropped with the draft', async () => {
    const german = await translate(selecting(ben));
    await german.discard();
    expect(await seen(admin, german)).toEqual([ann.id]);
  });

  it('is held against the limits when it is sent', async () => {
    await admin.patch(`/relations/${books}_authors`, { maxParentsPerChild: 1 });
    await createEntry(admin, books, {}, selecting(ben));
    const german = await translate();
    const body = { data: {}, locale: 'fr', translationOf: english.id, ...selecting(ben) };
    for (const answer of [await german.put(selecting(ben)), await admin.post(`/content/${books}`, body)])
      expect([...statusAndCode(answer), issuePaths(answer)]).toEqual([
        400,
        'VALIDATION_ERROR',
        ['references.authors.0'],
      ]);
  });

  it('is live at once when none is published any more', async () => {
    const german = await translate();
    await english.unpublish();
    await german.put(selecting(ben));
    expect(await seen(admin, english)).toEqual([ben.id]);
    await english.remove();
    await translate({ ...selecting(ann), locale: 'fr' }, german);
    expect(await seen(admin, german)).toEqual([ann.id]);
  });

  it('is live at once when the published one lies in the trash', async () => {
    const german = await translate();
    await english.remove();
    await german.put(selecting(ben));
    const { draftRevisionId } = (await german.get()).item;
    expect([await seen(admin, german), draftRevisionId]).toEqual([[ben.id], null]);
  });

  it('is live at once on a collection that keeps no revisions', async () => {
    const plain = 'plain';
    await site.collection({ slug: plain, supports: ['drafts'] });
    await addReference(admin, plain, 'authors', { targetCollection: people, multiple: true });
    const original = await createEntry(admin, plain, {}, selecting(ann));
    await original.publish();
    const german = await translate(selecting(ben), original, plain);
    expect(await seen(reader, original)).toEqual([ben.id]);
    await german.put(selecting(ann));
    expect(await seen(reader, original)).toEqual([ann.id]);
  });
});
