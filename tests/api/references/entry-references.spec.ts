import { describe, expect, it } from '@jest/globals';
import { createEntry, idsOf, issuePaths, itemOf, openSite, statusAndCode } from '@quire/testing';
import { referencedIds, useLibrary } from './support.js';

const library = useLibrary();

describe('references of an entry (document 1, Content entry)', () => {
  it('are returned beside the item, in display order, and not in data', async () => {
    const [ann, ben] = await library.persons('Ann', 'Ben');
    const entry = await library.book({ authors: [ben.id, ann.id] });
    const { item, references } = await entry.get();
    expect(references).toEqual({
      authors: {
        items: [
          {
            id: ben.id,
            slug: 'ben',
            collection: library.people,
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
    const [ann] = await library.persons('Ann');
    const slugs = Array.from({ length: 51 }, (_, index) => `more_${index}`);
    for (const slug of slugs) await library.addField(slug, { targetCollection: library.people });
    const { references } = await (await library.book({ more_50: [ann.id] })).get();
    expect(Object.keys(references)).toEqual(['authors', ...slugs]);
    expect(idsOf(references.more_50.items)).toEqual([ann.id]);
  });

  it('are empty without references, and absent from lists', async () => {
    const entry = await library.book();
    expect((await entry.get()).references).toEqual({ authors: { items: [] } });
    const [listed] = (await library.admin.get(`/content/${library.books}`)).data.items;
    expect(listed).not.toHaveProperty('references');
  });

  it('are updated per field: an omitted field is kept, an empty list clears', async () => {
    await library.addField('editors', { targetCollection: library.people, multiple: true });
    const [ann, ben] = await library.persons('Ann', 'Ben');
    const entry = await library.book({ authors: [ann.id], editors: [ben.id] });
    await entry.put({ references: { authors: [ben.id, ann.id] } });
    expect([
      await referencedIds(library.admin, entry),
      await referencedIds(library.admin, entry, 'editors'),
    ]).toEqual([[ben.id, ann.id], [ben.id]]);
    await entry.put({ references: { editors: [] } });
    expect([
      await referencedIds(library.admin, entry),
      await referencedIds(library.admin, entry, 'editors'),
    ]).toEqual([[ben.id, ann.id], []]);
  });

  it('contain at most 1000 entries; the first 50 are returned with a cursor', async () => {
    await library.site.sql(
      `INSERT INTO content_${library.people} (id, slug, _locale, _translation_group, name)
       SELECT 'p' || lpad(n::text, 4, '0'), 'p' || n, 'en', 'p' || lpad(n::text, 4, '0'), 'P ' || n FROM generate_series(1, 1001) n`,
    );
    const ids = Array.from({ length: 1001 }, (_, n) => `p${String(n + 1).padStart(4, '0')}`).reverse();
    const entry = await library.book({ authors: ids.slice(0, 1000) });
    const { items, nextCursor } = (await entry.get()).references.authors;
    expect(idsOf(items)).toEqual(ids.slice(0, 50));
    const walked = [...items];
    let cursor = nextCursor;
    while (cursor) {
      const path = `${entry.path}/references/${library.books}_authors/children?limit=100&cursor=${encodeURIComponent(cursor)}`;
      const page = (await library.admin.get(path)).data;
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
    const ann = await library.person('Ann');
    const annDe = await library.person('Anna', { locale: 'de', translationOf: ann.id });
    const onlyFr = await library.person('Benoît', { locale: 'fr' });
    const entry = await library.book({ authors: [ann.id, onlyFr.id] });
    const german = await createEntry(
      library.admin,
      library.books,
      {},
      { locale: 'de', translationOf: entry.id },
    );
    expect(await referencedIds(library.admin, german)).toEqual([annDe.id, onlyFr.id]);
    const french = await createEntry(
      library.admin,
      library.books,
      {},
      { locale: 'fr', translationOf: entry.id },
    );
    expect(await referencedIds(library.admin, french)).toEqual([ann.id, onlyFr.id]);
    await german.put({ references: { authors: [annDe.id] } });
    expect(await referencedIds(library.admin, entry)).toEqual([ann.id]);
  });

  it('have the title of the title field, else title, else name', async () => {
    const other = 'things';
    await library.site.collection({
      slug: other,
      fields: ['title', 'name', 'headline'].map((slug) => ({ slug, type: 'string' as const })),
    });
    const field = await library.addField('things', { targetCollection: other, multiple: true });
    expect(field.validation.targetCollection).toBe(other);
    const thing = itemOf(
      await library.admin.post(`/content/${other}`, { data: { title: 'T', name: 'N', headline: 'H' } }),
    );
    const entry = await library.book({ things: [thing.id] });
    const title = async () => (await entry.get()).references.things.items[0].title;
    expect(await title()).toBe('T');
    await library.admin.put(`/schema/collections/${other}`, { titleField: 'headline' });
    expect(await title()).toBe('H');
    await library.admin.delete(`/schema/collections/${other}/fields/headline`);
    await library.admin.delete(`/schema/collections/${other}/fields/title`);
    expect(await title()).toBe('N');
    await library.admin.delete(`/schema/collections/${other}/fields/name`);
    expect(await title()).toBeNull();
  });

  it('omit trashed entries until they are restored', async () => {
    const [ann, ben] = await library.persons('Ann', 'Ben');
    const entry = await library.book({ authors: [ann.id, ben.id] });
    await library.admin.delete(`/content/${library.people}/${ann.id}`);
    expect(await referencedIds(library.admin, entry)).toEqual([ben.id]);
    await library.admin.post(`/content/${library.people}/${ann.id}/restore`);
    expect(await referencedIds(library.admin, entry)).toEqual([ann.id, ben.id]);
    await library.admin.delete(`/content/${library.people}/${ann.id}`);
    await library.admin.delete(`/content/${library.people}/${ann.id}/permanent`);
    expect(await referencedIds(library.admin, entry)).toEqual([ben.id]);
    expect(
      await library.site.sql('SELECT 1 FROM reference_links WHERE child_group = $1', [ann.translationGroup]),
    ).toEqual([]);
  });

  it('remain while a translation of the linked entry exists', async () => {
    const ann = await library.person('Ann');
    const german = await library.person('Anna', { locale: 'de', translationOf: ann.id });
    const entry = await library.book({ authors: [ann.id] });
    await library.admin.delete(`/content/${library.people}/${ann.id}`);
    await library.admin.delete(`/content/${library.people}/${ann.id}/permanent`);
    expect(await referencedIds(library.admin, entry)).toEqual([german.id]);
  });

  it('contain only published entries for readers', async () => {
    const [ann, ben] = await library.persons('Ann', 'Ben');
    const entry = await library.book({ authors: [ann.id, ben.id] });
    await entry.publish();
    await library.admin.post(`/content/${library.people}/${ben.id}/publish`);
    expect(await referencedIds(library.reader, entry)).toEqual([ben.id]);
  });
});

describe('rejected references (contract 7)', () => {
  const send = (references: unknown) =>
    library.admin.post(`/content/${library.books}`, { data: { title: 'T' }, references });

  it('return one issue per invalid field or position, and nothing is stored', async () => {
    const [ann] = await library.persons('Ann');
    const other = await library.book();
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
    expect((await library.admin.get(`/content/${library.books}`)).data.items).toHaveLength(1);
  });

  it('treat two translations of one entry as a duplicate', async () => {
    const ann = await library.person('Ann');
    const german = await library.person('Anna', { locale: 'de', translationOf: ann.id });
    expect(issuePaths(await send({ authors: [ann.id, german.id] }))).toEqual(['references.authors.1']);
  });

  it.each([[{ authors: 'x' }], [{ authors: [1] }], [['x']], ['x'], [{ authors: [''] }]])(
    'return 400 VALIDATION_ERROR for %j',
    async (references) => {
      expect(statusAndCode(await send(references))).toEqual([400, 'VALIDATION_ERROR']);
    },
  );

  it('include references inside data', async () => {
    const response = await library.admin.post(`/content/${library.books}`, { data: { authors: [] } });
    expect(issuePaths(response)).toEqual(['authors']);
  });

  it('include trashed targets', async () => {
    const [ann] = await library.persons('Ann');
    await library.admin.delete(`/content/${library.people}/${ann.id}`);
    expect(issuePaths(await send({ authors: [ann.id] }))).toEqual(['references.authors.0']);
  });

  it('include an empty required field in create, update and publish', async () => {
    const [ann] = await library.persons('Ann');
    await library.addField('lead', { targetCollection: library.people }, { required: true });
    expect(issuePaths(await send({}))).toEqual(['references.lead']);
    expect(issuePaths(await send({ lead: [] }))).toContain('references.lead');
    const entry = await library.book({ lead: [ann.id] });
    expect(issuePaths(await entry.put({ references: { lead: [] } }))).toEqual(['references.lead']);
    expect((await entry.publish()).status).toBe(200);
    await library.admin.delete(`/content/${library.people}/${ann.id}`);
    await library.admin.delete(`/content/${library.people}/${ann.id}/permanent`);
    expect(issuePaths(await entry.publish())).toEqual(['references.lead']);
  });

  it('include a required entry that was deleted before publication; the live reference is kept', async () => {
    const [ann, ben, carl] = await library.persons('Ann', 'Ben', 'Carl');
    await library.addField('lead', { targetCollection: library.people }, { required: true });
    const entry = await library.book({ lead: [ann.id] });
    await entry.publish();
    await entry.put({ data: {}, references: { lead: [ben.id] } });
    await library.admin.delete(`/content/${library.people}/${ben.id}`);
    await library.admin.delete(`/content/${library.people}/${ben.id}/permanent`);
    const rejected = await entry.publish();
    expect([...statusAndCode(rejected), issuePaths(rejected)]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['references.lead'],
    ]);
    // Readers see only published entries.
    await library.admin.post(`/content/${library.people}/${ann.id}/publish`);
    expect(await referencedIds(library.reader, entry, 'lead')).toEqual([ann.id]);
    await entry.put({ references: { lead: [carl.id] } });
    expect((await entry.publish()).status).toBe(200);
    expect(await referencedIds(library.admin, entry, 'lead')).toEqual([carl.id]);
  });
});

describe('entries of another site', () => {
  it('cannot be referenced, and the other site has no relations', async () => {
    const otherSite = await openSite();
    const other = await otherSite.as('admin');
    await otherSite.collection({ slug: library.people, fields: [{ slug: 'name', type: 'string' }] });
    const foreign = itemOf(await other.post(`/content/${library.people}`, { data: { name: 'Foreign' } }));
    const response = await library.admin.post(`/content/${library.books}`, {
      data: {},
      references: { authors: [foreign.id] },
    });
    expect(issuePaths(response)).toEqual(['references.authors.0']);
    expect((await other.get('/relations')).data.relations).toEqual([]);
    await otherSite.close();
  });
});
