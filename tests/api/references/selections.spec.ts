import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  eventually,
  idsOf,
  issuePaths,
  itemOf,
  openSite,
  statusAndCode,
  useSite,
  type Client,
  type TestEntry,
} from '@quire/testing';
import { addReference, createLibrary, referencedIds } from './support/library.js';

const site = useSite();
let admin: Client;
let reader: Client;
/** Slugs of two collections with revisions: `books`, whose field `authors` selects many of `people`. */
let books: string;
let people: string;

beforeAll(async () => {
  admin = await site.as('admin');
  reader = await site.as('subscriber');
});
beforeEach(async () => {
  ({ books, people } = await createLibrary(site, { personFields: [{ slug: 'name', type: 'string' }] }));
});

const addField = (slug: string, validation: object, more: object = {}, collection = books) =>
  addReference(admin, collection, slug, validation, more);
const person = async (name: string, more: object = {}) =>
  itemOf(await admin.post(`/content/${people}`, { data: { name }, ...more }));
const persons = (...names: string[]) => Promise.all(names.map((name) => person(name)));
const book = (references: object = {}, more: object = {}) =>
  createEntry(admin, books, {}, { references, ...more });

describe('references of an entry (document 1, Content entry)', () => {
  it('are returned beside the item, in display order, and not in data', async () => {
    const [ann, ben] = await persons('Ann', 'Ben');
    const entry = await book({ authors: [ben.id, ann.id] });
    const { item, references } = await entry.get();
    expect(references).toEqual({
      authors: {
        items: [
          {
            id: ben.id,
            slug: 'ben',
            collection: people,
            title: 'Ben',
            locale: 'en',
            translationGroup: ben.translationGroup,
            sortOrder: 0,
          },
          expect.objectContaining({ id: ann.id, title: 'Ann', sortOrder: 1 }),
        ],
      },
    });
    expect(item.data).not.toHaveProperty('authors');
  });

  it('are returned for any number of fields', async () => {
    const [ann] = await persons('Ann');
    const slugs = Array.from({ length: 51 }, (_, index) => `more_${index}`);
    for (const slug of slugs) await addField(slug, { targetCollection: people });
    const { references } = await (await book({ more_50: [ann.id] })).get();
    expect(Object.keys(references)).toEqual(['authors', ...slugs]);
    expect(idsOf(references.more_50.items)).toEqual([ann.id]);
  });

  it('are empty without references, and absent from lists', async () => {
    const entry = await book();
    expect((await entry.get()).references).toEqual({ authors: { items: [] } });
    const [listed] = (await admin.get(`/content/${books}`)).data.items;
    expect(listed).not.toHaveProperty('references');
  });

  it('are updated per field: an omitted field is kept, an empty list clears', async () => {
    await addField('editors', { targetCollection: people, multiple: true });
    const [ann, ben] = await persons('Ann', 'Ben');
    const entry = await book({ authors: [ann.id], editors: [ben.id] });
    await entry.put({ references: { authors: [ben.id, ann.id] } });
    expect([await referencedIds(admin, entry), await referencedIds(admin, entry, 'editors')]).toEqual([
      [ben.id, ann.id],
      [ben.id],
    ]);
    await entry.put({ references: { editors: [] } });
    expect([await referencedIds(admin, entry), await referencedIds(admin, entry, 'editors')]).toEqual([
      [ben.id, ann.id],
      [],
    ]);
  });

  it('contain at most 1000 entries; the first 50 are returned with a cursor', async () => {
    await site.sql(
      `INSERT INTO content_${people} (id, slug, _locale, _translation_group, name)
       SELECT 'p' || lpad(n::text, 4, '0'), 'p' || n, 'en', 'p' || lpad(n::text, 4, '0'), 'P ' || n FROM generate_series(1, 1001) n`,
    );
    const ids = Array.from({ length: 1001 }, (_, n) => `p${String(n + 1).padStart(4, '0')}`).reverse();
    const entry = await book({ authors: ids.slice(0, 1000) });
    const { items, nextCursor } = (await entry.get()).references.authors;
    expect(idsOf(items)).toEqual(ids.slice(0, 50));
    const walked = [...items];
    let cursor = nextCursor;
    while (cursor) {
      const path = `${entry.path}/references/${books}_authors/children?limit=100&cursor=${encodeURIComponent(cursor)}`;
      const page = (await admin.get(path)).data;
      walked.push(...page.children);
      cursor = page.nextCursor;
    }
    expect(idsOf(walked)).toEqual(ids.slice(0, 1000));
    expect(statusAndCode(await entry.put({ references: { authors: ids } }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });

  it('are shared by all translations, in the locale of the entry, else the default, else any', async () => {
    const ann = await person('Ann');
    const annDe = await person('Anna', { locale: 'de', translationOf: ann.id });
    const onlyFr = await person('Benoît', { locale: 'fr' });
    const entry = await book({ authors: [ann.id, onlyFr.id] });
    const german = await createEntry(admin, books, {}, { locale: 'de', translationOf: entry.id });
    expect(await referencedIds(admin, german)).toEqual([annDe.id, onlyFr.id]);
    const french = await createEntry(admin, books, {}, { locale: 'fr', translationOf: entry.id });
    expect(await referencedIds(admin, french)).toEqual([ann.id, onlyFr.id]);
    await german.put({ references: { authors: [annDe.id] } });
    expect(await referencedIds(admin, entry)).toEqual([ann.id]);
  });

  it('have the title of the title field, else title, else name', async () => {
    const other = 'things';
    await site.collection({
      slug: other,
      fields: ['title', 'name', 'headline'].map((slug) => ({ slug, type: 'string' as const })),
    });
    const field = await addField('things', { targetCollection: other, multiple: true });
    expect(field.validation.targetCollection).toBe(other);
    const thing = itemOf(
      await admin.post(`/content/${other}`, { data: { title: 'T', name: 'N', headline: 'H' } }),
    );
    const entry = await book({ things: [thing.id] });
    const title = async () => (await entry.get()).references.things.items[0].title;
    expect(await title()).toBe('T');
    await admin.put(`/schema/collections/${other}`, { titleField: 'headline' });
    expect(await title()).toBe('H');
    await admin.delete(`/schema/collections/${other}/fields/headline`);
    await admin.delete(`/schema/collections/${other}/fields/title`);
    expect(await title()).toBe('N');
    await admin.delete(`/schema/collections/${other}/fields/name`);
    expect(await title()).toBeNull();
  });

  it('omit trashed entries until they are restored', async () => {
    const [ann, ben] = await persons('Ann', 'Ben');
    const entry = await book({ authors: [ann.id, ben.id] });
    await admin.delete(`/content/${people}/${ann.id}`);
    expect(await referencedIds(admin, entry)).toEqual([ben.id]);
    await admin.post(`/content/${people}/${ann.id}/restore`);
    expect(await referencedIds(admin, entry)).toEqual([ann.id, ben.id]);
    await admin.delete(`/content/${people}/${ann.id}`);
    await admin.delete(`/content/${people}/${ann.id}/permanent`);
    expect(await referencedIds(admin, entry)).toEqual([ben.id]);
    expect(
      await site.sql('SELECT 1 FROM reference_links WHERE child_group = $1', [ann.translationGroup]),
    ).toEqual([]);
  });

  it('remain while a translation of the linked entry exists', async () => {
    const ann = await person('Ann');
    const german = await person('Anna', { locale: 'de', translationOf: ann.id });
    const entry = await book({ authors: [ann.id] });
    await admin.delete(`/content/${people}/${ann.id}`);
    await admin.delete(`/content/${people}/${ann.id}/permanent`);
    expect(await referencedIds(admin, entry)).toEqual([german.id]);
  });

  it('contain only published entries for readers', async () => {
    const [ann, ben] = await persons('Ann', 'Ben');
    const entry = await book({ authors: [ann.id, ben.id] });
    await entry.publish();
    await admin.post(`/content/${people}/${ben.id}/publish`);
    expect(await referencedIds(reader, entry)).toEqual([ben.id]);
  });
});

describe('rejected references (contract 7)', () => {
  const send = (references: unknown) => admin.post(`/content/${books}`, { data: { title: 'T' }, references });

  it('return one issue per invalid field or position, and nothing is stored', async () => {
    const [ann] = await persons('Ann');
    const other = await book();
    const response = await send({
      authors: [ann.id, 'nothing', ann.id, other.id],
      nothing: [],
      title: [ann.id],
    });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response).sort()).toEqual([
      'references.authors.1',
      'references.authors.2',
      'references.authors.3',
      'references.nothing',
      'references.title',
    ]);
    expect((await admin.get(`/content/${books}`)).data.items).toHaveLength(1);
  });

  it('treat two translations of one entry as a duplicate', async () => {
    const ann = await person('Ann');
    const german = await person('Anna', { locale: 'de', translationOf: ann.id });
    expect(issuePaths(await send({ authors: [ann.id, german.id] }))).toEqual(['references.authors.1']);
  });

  it.each([[{ authors: 'x' }], [{ authors: [1] }], [['x']], ['x'], [{ authors: [''] }]])(
    'return 400 VALIDATION_ERROR for %j',
    async (references) => {
      expect(statusAndCode(await send(references))).toEqual([400, 'VALIDATION_ERROR']);
    },
  );

  it('include references inside data', async () => {
    const response = await admin.post(`/content/${books}`, { data: { authors: [] } });
    expect(issuePaths(response)).toEqual(['authors']);
  });

  it('include trashed targets', async () => {
    const [ann] = await persons('Ann');
    await admin.delete(`/content/${people}/${ann.id}`);
    expect(issuePaths(await send({ authors: [ann.id] }))).toEqual(['references.authors.0']);
  });

  it('include an empty required field in create, update and publish', async () => {
    const [ann] = await persons('Ann');
    await addField('lead', { targetCollection: people }, { required: true });
    expect(issuePaths(await send({}))).toEqual(['references.lead']);
    expect(issuePaths(await send({ lead: [] }))).toContain('references.lead');
    const entry = await book({ lead: [ann.id] });
    expect(issuePaths(await entry.put({ references: { lead: [] } }))).toEqual(['references.lead']);
    expect((await entry.publish()).status).toBe(200);
    await admin.delete(`/content/${people}/${ann.id}`);
    await admin.delete(`/content/${people}/${ann.id}/permanent`);
    expect(issuePaths(await entry.publish())).toEqual(['references.lead']);
  });

  it('include a required entry that was deleted before publication; the live reference is kept', async () => {
    const [ann, ben, carl] = await persons('Ann', 'Ben', 'Carl');
    await addField('lead', { targetCollection: people }, { required: true });
    const entry = await book({ lead: [ann.id] });
    await entry.publish();
    await entry.put({ data: {}, references: { lead: [ben.id] } });
    await admin.delete(`/content/${people}/${ben.id}`);
    await admin.delete(`/content/${people}/${ben.id}/permanent`);
    const rejected = await entry.publish();
    expect([...statusAndCode(rejected), issuePaths(rejected)]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['references.lead'],
    ]);
    // Readers see only published entries.
    await admin.post(`/content/${people}/${ann.id}/publish`);
    expect(await referencedIds(reader, entry, 'lead')).toEqual([ann.id]);
    await entry.put({ references: { lead: [carl.id] } });
    expect((await entry.publish()).status).toBe(200);
    expect(await referencedIds(admin, entry, 'lead')).toEqual([carl.id]);
  });
});

describe('limits of a relation (document 1: enforced on both ends)', () => {
  it('allow one reference for a field that is not multiple', async () => {
    const [ann, ben] = await persons('Ann', 'Ben');
    await addField('lead', { targetCollection: people });
    const entry = await book({ lead: [ann.id] });
    const response = await entry.put({ references: { lead: [ann.id, ben.id] } });
    expect([...statusAndCode(response), issuePaths(response)]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['references.lead'],
    ]);
    expect((await entry.put({ references: { lead: [ben.id] } })).status).toBe(200);
  });

  describe('with maxParentsPerChild 1', () => {
    beforeEach(async () => {
      await admin.patch(`/relations/${books}_authors`, { maxParentsPerChild: 1 });
    });

    it('reject a second parent with the path of the entry', async () => {
      const [ann, ben] = await persons('Ann', 'Ben');
      await book({ authors: [ann.id] });
      const response = await admin.post(`/content/${books}`, {
        data: {},
        references: { authors: [ben.id, ann.id] },
      });
      expect([...statusAndCode(response), issuePaths(response)]).toEqual([
        400,
        'VALIDATION_ERROR',
        ['references.authors.1'],
      ]);
    });

    it('allow an entry to keep its child, and another to take it once it is free', async () => {
      const [ann, ben] = await persons('Ann', 'Ben');
      const [first, second] = [await book({ authors: [ann.id] }), await book()];
      expect((await first.put({ references: { authors: [ben.id, ann.id] } })).status).toBe(200);
      await first.put({ references: { authors: [ben.id] } });
      expect((await second.put({ references: { authors: [ann.id] } })).status).toBe(200);
    });

    it('allow one of 8 concurrent writers', async () => {
      const [ann] = await persons('Ann');
      const entries = await Promise.all(Array.from({ length: 8 }, () => book()));
      const responses = await Promise.all(
        entries.map((entry) => entry.put({ references: { authors: [ann.id] } })),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([
        200,
        ...Array.from({ length: 7 }, () => 400),
      ]);
      const links = await site.sql('SELECT 1 FROM reference_links WHERE child_group = $1', [
        ann.translationGroup,
      ]);
      expect(links).toHaveLength(1);
    });

    it('are checked again when a draft is published', async () => {
      const [ann] = await persons('Ann');
      const [first, second] = [await book(), await book()];
      await Promise.all([first.publish(), second.publish()]);
      expect((await first.put({ references: { authors: [ann.id] } })).status).toBe(200);
      expect((await second.put({ references: { authors: [ann.id] } })).status).toBe(200);
      expect((await first.publish()).status).toBe(200);
      const response = await second.publish();
      expect([...statusAndCode(response), issuePaths(response)]).toEqual([
        400,
        'VALIDATION_ERROR',
        ['references.authors.0'],
      ]);
      expect((await second.get()).item.draftRevisionId).not.toBeNull();
    });

    it('omit from a duplicate the references that would exceed the limit', async () => {
      const [ann] = await persons('Ann');
      const entry = await book({ authors: [ann.id] });
      const copy = itemOf(await entry.duplicate());
      const { references } = (await admin.get(`/content/${books}/${copy.id}`)).data;
      expect(references.authors.items).toEqual([]);
    });
  });
});

describe('references of a published entry, on a collection with revisions (document 1)', () => {
  let entry: TestEntry;
  let ann: { id: string };
  let ben: { id: string };
  beforeEach(async () => {
    [ann, ben] = (await persons('Ann', 'Ben')) as [{ id: string }, { id: string }];
    await Promise.all([ann, ben].map(({ id }) => admin.post(`/content/${people}/${id}/publish`)));
    entry = await book({ authors: [ann.id] });
    await entry.publish();
  });
  const visibleIds = async () => ({
    editors: await referencedIds(admin, entry),
    readers: await referencedIds(reader, entry),
  });

  it('are staged in the draft, and readers see the live ones', async () => {
    expect((await entry.put({ references: { authors: [ben.id, ann.id] } })).status).toBe(200);
    expect(await visibleIds()).toEqual({ editors: [ben.id, ann.id], readers: [ann.id] });
    expect(await entry.compare()).toMatchObject({ hasChanges: true });
    expect((await entry.get()).item.draftRevisionId).not.toBeNull();
  });

  it('are compared with the live ones', async () => {
    expect(JSON.stringify(await entry.compare())).not.toContain('_references');
    await entry.put({ references: { authors: [ben.id, ann.id] } });
    const { live, draft } = await entry.compare();
    expect([live._references, draft._references]).toEqual([
      { authors: [ann.id] },
      { authors: [ben.id, ann.id] },
    ]);
    await entry.unpublish();
    expect(await entry.compare()).toMatchObject({ live: null, draft: { _references: draft._references } });
  });

  it('go live on publish', async () => {
    await entry.put({ references: { authors: [ben.id] } });
    await entry.publish();
    expect(await visibleIds()).toEqual({ editors: [ben.id], readers: [ben.id] });
  });

  it('are dropped with the draft', async () => {
    await entry.put({ references: { authors: [ben.id] } });
    await entry.discard();
    expect(await visibleIds()).toEqual({ editors: [ann.id], readers: [ann.id] });
  });

  it('stay staged while other fields are staged', async () => {
    await addField('editors', { targetCollection: people, multiple: true });
    await entry.put({ references: { authors: [ben.id] } });
    await entry.put({ data: { body: 'new' } });
    await entry.put({ references: { editors: [ann.id] } });
    expect(await referencedIds(admin, entry)).toEqual([ben.id]);
    await entry.publish();
    expect([await referencedIds(reader, entry), await referencedIds(reader, entry, 'editors')]).toEqual([
      [ben.id],
      [ann.id],
    ]);
  });

  it('go live on schedule', async () => {
    await entry.put({ references: { authors: [ben.id] } });
    await entry.schedule(new Date(Date.now() + 1_000).toISOString());
    const shown = await eventually(
      () => referencedIds(reader, entry),
      ([first]) => first === ben.id,
    );
    expect(shown).toEqual([ben.id]);
  });

  it('are live at once on an unpublished entry', async () => {
    const draft = await book();
    await draft.put({ references: { authors: [ann.id] } });
    const { item } = await draft.get();
    expect([await referencedIds(admin, draft), item.draftRevisionId]).toEqual([[ann.id], null]);
  });

  it('remain after unpublish, and are then live at once', async () => {
    await entry.put({ references: { authors: [ben.id] } });
    await entry.publish();
    await entry.unpublish();
    expect(await referencedIds(admin, entry)).toEqual([ben.id]);
    await entry.put({ references: { authors: [ann.id] } });
    await entry.publish();
    expect(await visibleIds()).toEqual({ editors: [ann.id], readers: [ann.id] });
  });

  it('are part of a revision and restored with it as a draft', async () => {
    await entry.put({ references: { authors: [ben.id] } });
    const { items } = (await admin.get(`${entry.path}/revisions`)).data;
    expect(items[0].references).toEqual({ authors: [expect.any(String)] });
    expect(items[0].data).not.toHaveProperty('_references');
    await entry.discard();
    await admin.post(`/revisions/${items[0].id}/restore`);
    expect(await visibleIds()).toEqual({ editors: [ben.id], readers: [ann.id] });
  });

  it('omit entries that were permanently deleted before publication', async () => {
    await entry.put({ references: { authors: [ben.id, ann.id] } });
    await admin.delete(`/content/${people}/${ben.id}`);
    await admin.delete(`/content/${people}/${ben.id}/permanent`);
    expect((await entry.publish()).status).toBe(200);
    expect(await referencedIds(admin, entry)).toEqual([ann.id]);
  });

  it('are duplicated from the draft', async () => {
    await entry.put({ references: { authors: [ben.id] } });
    const copy = itemOf(await entry.duplicate());
    const { references } = (await admin.get(`/content/${books}/${copy.id}`)).data;
    expect(idsOf(references.authors.items)).toEqual([ben.id]);
  });

  it('do not reappear in a new field after the relation was deleted', async () => {
    await entry.put({ references: { authors: [ben.id] } });
    expect((await admin.delete(`/relations/${books}_authors?force=true`)).status).toBe(200);
    await addField('authors', { targetCollection: people, multiple: true });
    expect(await visibleIds()).toEqual({ editors: [], readers: [] });
  });

  it('are removed from revisions with the target collection; other values are unchanged', async () => {
    await admin.post(`/schema/collections/${books}/fields`, { slug: 'any', label: 'Any', type: 'json' });
    const any = { zebra: 1, apple: { longer: 1, b: 2 } };
    await entry.put({ data: { any }, references: { authors: [ben.id] } });
    expect((await admin.delete(`/schema/collections/${people}?force=true`)).status).toBe(200);
    const { items } = (await admin.get(`${entry.path}/revisions`)).data;
    expect([items[0].references, JSON.stringify(items[0].data.any)]).toEqual([{}, JSON.stringify(any)]);
  });

  it('do not reappear in a new field of the same name', async () => {
    await entry.put({ references: { authors: [ben.id] } });
    await admin.delete(`/schema/collections/${books}/fields/authors`);
    await addField('authors', { targetCollection: people, multiple: true });
    expect(await visibleIds()).toEqual({ editors: [], readers: [] });
  });
});

describe('references on a collection without revisions', () => {
  it('are live at once, published or not', async () => {
    const plain = 'plain';
    await site.collection({ slug: plain, supports: ['drafts'] });
    await addField('authors', { targetCollection: people }, {}, plain);
    const [ann] = await persons('Ann');
    await admin.post(`/content/${people}/${ann.id}/publish`);
    const entry = await createEntry(admin, plain);
    await entry.publish();
    await entry.put({ references: { authors: [ann.id] } });
    expect(await referencedIds(reader, entry)).toEqual([ann.id]);
  });
});

describe('child end of a relation (document 1)', () => {
  beforeEach(() => addField('books', { relation: `${books}_authors` }, {}, people));

  it('contains the entries that reference it, without an order', async () => {
    const ann = await person('Ann');
    const [first, second] = [await book({ authors: [ann.id] }), await book()];
    const page = async () => (await admin.get(`/content/${people}/${ann.id}`)).data.references.books;
    expect((await page()).items).toEqual([
      {
        id: first.id,
        slug: first.item.slug,
        collection: books,
        title: first.item.data.title,
        locale: 'en',
        translationGroup: first.id,
      },
    ]);
    await admin.put(`/content/${people}/${ann.id}`, { references: { books: [second.id, first.id] } });
    expect(idsOf((await page()).items).sort()).toEqual([first.id, second.id].sort());
    expect([await referencedIds(admin, first), await referencedIds(admin, second)]).toEqual([
      [ann.id],
      [ann.id],
    ]);
    await admin.put(`/content/${people}/${ann.id}`, { references: { books: [] } });
    expect([await referencedIds(admin, first), await referencedIds(admin, second)]).toEqual([[], []]);
  });

  it('appends the entry to the order of a parent', async () => {
    const [ann, ben] = await persons('Ann', 'Ben');
    const entry = await book({ authors: [ann.id] });
    await admin.put(`/content/${people}/${ben.id}`, { references: { books: [entry.id] } });
    expect(await referencedIds(admin, entry)).toEqual([ann.id, ben.id]);
  });

  it('enforces the limit of the parent', async () => {
    await admin.patch(`/relations/${books}_authors`, { maxChildrenPerParent: 1 });
    const [ann, ben] = await persons('Ann', 'Ben');
    const entry = await book({ authors: [ann.id] });
    const response = await admin.put(`/content/${people}/${ben.id}`, { references: { books: [entry.id] } });
    expect([...statusAndCode(response), issuePaths(response)]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['references.books.0'],
    ]);
  });
});

describe('changed limits and concurrent writers', () => {
  it('allow one of 8 concurrent children with maxChildrenPerParent 1', async () => {
    await addField('books', { relation: `${books}_authors` }, {}, people);
    await admin.patch(`/relations/${books}_authors`, { maxChildrenPerParent: 1 });
    const entry = await book();
    const names = Array.from({ length: 8 }, (_, index) => `Name ${index}`);
    const responses = await Promise.all(
      (await persons(...names)).map(({ id }) =>
        admin.put(`/content/${people}/${id}`, { references: { books: [entry.id] } }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...names.slice(1).map(() => 400)]);
    expect(await referencedIds(admin, entry)).toHaveLength(1);
  });

  it('reject the publication of references staged before a limit was lowered, and keep the draft', async () => {
    const [ann, ben] = await persons('Ann', 'Ben');
    const entry = await book({ authors: [ann.id] });
    await entry.publish();
    await entry.put({ references: { authors: [ben.id, ann.id] } });
    const lowered = await admin.patch(`/relations/${books}_authors`, { maxChildrenPerParent: 1 });
    expect(lowered.status).toBe(200);
    const response = await entry.publish();
    expect([...statusAndCode(response), issuePaths(response)]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['references.authors'],
    ]);
    expect(await referencedIds(admin, entry)).toEqual([ben.id, ann.id]);
    await entry.discard();
    expect(await referencedIds(admin, entry)).toEqual([ann.id]);
  });
});

describe('entries of another site', () => {
  it('cannot be referenced, and the other site has no relations', async () => {
    const otherSite = await openSite();
    const other = await otherSite.as('admin');
    await otherSite.collection({ slug: people, fields: [{ slug: 'name', type: 'string' }] });
    const foreign = itemOf(await other.post(`/content/${people}`, { data: { name: 'Foreign' } }));
    const response = await admin.post(`/content/${books}`, {
      data: {},
      references: { authors: [foreign.id] },
    });
    expect(issuePaths(response)).toEqual(['references.authors.0']);
    expect((await other.get('/relations')).data.relations).toEqual([]);
    await otherSite.close();
  });
});
