import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createEntry, issuePaths, statusAndCode, useSite, type Client, type TestEntry } from '@quire/testing';
import { addReference, createLibrary, referencedIds } from './support.js';

const site = useSite();
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

const selecting = (...entries: TestEntry[]) => ({ references: { authors: entries.map(({ id }) => id) } });
const translate = (more: object = {}, original = english, collection = books) =>
  createEntry(admin, collection, {}, { locale: 'de', translationOf: original.id, ...more });

describe('shared references of translations, one of them published (document 1, Content entry)', () => {
  it('are staged in the draft of an unpublished translation', async () => {
    const german = await translate();
    expect((await german.put(selecting(ben))).status).toBe(200);
    expect([await referencedIds(admin, german), await referencedIds(reader, english)]).toEqual([
      [ben.id],
      [ann.id],
    ]);
  });

  it('go live for all translations when it is published', async () => {
    const german = await translate();
    await german.put(selecting(ben));
    await german.publish();
    expect([await referencedIds(reader, german), await referencedIds(reader, english)]).toEqual([
      [ben.id],
      [ben.id],
    ]);
  });

  it('are staged by creating a translation with references and values', async () => {
    const german = await translate(selecting());
    expect(german.item).toMatchObject({
      status: 'draft',
      draftRevisionId: expect.any(String),
      data: { body: 'old' },
    });
    expect([await referencedIds(admin, german), await referencedIds(reader, english)]).toEqual([
      [],
      [ann.id],
    ]);
    await german.put({ data: { body: 'new' } });
    await german.publish();
    expect((await german.get()).item.data).toMatchObject({ title: german.item.data.title, body: 'new' });
    expect(await referencedIds(reader, english)).toEqual([]);
  });

  it('are staged together with the credits of a new translation', async () => {
    const byline = (await admin.post('/admin/bylines', { slug: 'ann', displayName: 'Ann' })).data;
    const german = await translate({ ...selecting(ben), bylines: [{ bylineId: byline.id }] });
    expect(german.item.bylines).toHaveLength(1);
    expect([await referencedIds(admin, german), await referencedIds(reader, english)]).toEqual([
      [ben.id],
      [ann.id],
    ]);
  });

  it('are dropped with the draft', async () => {
    const german = await translate(selecting(ben));
    await german.discard();
    expect(await referencedIds(admin, german)).toEqual([ann.id]);
  });

  it('are checked against the limits of the relation when staged', async () => {
    await admin.patch(`/relations/${books}_authors`, { maxParentsPerChild: 1 });
    await createEntry(admin, books, {}, selecting(ben));
    const german = await translate();
    const body = { data: {}, locale: 'fr', translationOf: english.id, ...selecting(ben) };
    for (const response of [await german.put(selecting(ben)), await admin.post(`/content/${books}`, body)])
      expect([...statusAndCode(response), issuePaths(response)]).toEqual([
        400,
        'VALIDATION_ERROR',
        ['references.authors.0'],
      ]);
  });

  it('are live at once when no translation is published any more', async () => {
    const german = await translate();
    await english.unpublish();
    await german.put(selecting(ben));
    expect(await referencedIds(admin, english)).toEqual([ben.id]);
    await english.remove();
    await translate({ ...selecting(ann), locale: 'fr' }, german);
    expect(await referencedIds(admin, german)).toEqual([ann.id]);
  });

  it('are live at once when the published translation is in the trash', async () => {
    const german = await translate();
    await english.remove();
    await german.put(selecting(ben));
    const { draftRevisionId } = (await german.get()).item;
    expect([await referencedIds(admin, german), draftRevisionId]).toEqual([[ben.id], null]);
  });

  it('are live at once on a collection without revisions', async () => {
    const plain = 'plain';
    await site.collection({ slug: plain, supports: ['drafts'] });
    await addReference(admin, plain, 'authors', { targetCollection: people, multiple: true });
    const original = await createEntry(admin, plain, {}, selecting(ann));
    await original.publish();
    const german = await translate(selecting(ben), original, plain);
    expect(await referencedIds(reader, original)).toEqual([ben.id]);
    await german.put(selecting(ann));
    expect(await referencedIds(reader, original)).toEqual([ann.id]);
  });
});
