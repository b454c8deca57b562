import { beforeEach, describe, expect, it } from '@jest/globals';
import { idsOf, issuePaths, itemOf, statusAndCode } from '@quire/testing';
import { referencedIds, useLibrary } from './support.js';

const library = useLibrary();

describe('limits of a relation (document 1: enforced on both ends)', () => {
  it('allow one reference for a field that is not multiple', async () => {
    const [ann, ben] = await library.persons('Ann', 'Ben');
    await library.addField('lead', { targetCollection: library.people });
    const entry = await library.book({ lead: [ann.id] });
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
      await library.admin.patch(`/relations/${library.books}_authors`, { maxParentsPerChild: 1 });
    });

    it('reject a second parent with the path of the entry', async () => {
      const [ann, ben] = await library.persons('Ann', 'Ben');
      await library.book({ authors: [ann.id] });
      const response = await library.admin.post(`/content/${library.books}`, {
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
      const [ann, ben] = await library.persons('Ann', 'Ben');
      const [first, second] = [await library.book({ authors: [ann.id] }), await library.book()];
      expect((await first.put({ references: { authors: [ben.id, ann.id] } })).status).toBe(200);
      await first.put({ references: { authors: [ben.id] } });
      expect((await second.put({ references: { authors: [ann.id] } })).status).toBe(200);
    });

    it('allow one of 8 concurrent writers', async () => {
      const [ann] = await library.persons('Ann');
      const entries = await Promise.all(Array.from({ length: 8 }, () => library.book()));
      const responses = await Promise.all(
        entries.map((entry) => entry.put({ references: { authors: [ann.id] } })),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([
        200,
        ...Array.from({ length: 7 }, () => 400),
      ]);
      const links = await library.site.sql('SELECT 1 FROM reference_links WHERE child_group = $1', [
        ann.translationGroup,
      ]);
      expect(links).toHaveLength(1);
    });

    it('are checked again when a draft is published', async () => {
      const [ann] = await library.persons('Ann');
      const [first, second] = [await library.book(), await library.book()];
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
      const [ann] = await library.persons('Ann');
      const entry = await library.book({ authors: [ann.id] });
      const copy = itemOf(await entry.duplicate());
      const { references } = (await library.admin.get(`/content/${library.books}/${copy.id}`)).data;
      expect(references.authors.items).toEqual([]);
    });
  });
});

describe('child end of a relation (document 1)', () => {
  beforeEach(() => library.addField('books', { relation: `${library.books}_authors` }, {}, library.people));

  it('contains the entries that reference it, without an order', async () => {
    const ann = await library.person('Ann');
    const [first, second] = [await library.book({ authors: [ann.id] }), await library.book()];
    const page = async () =>
      (await library.admin.get(`/content/${library.people}/${ann.id}`)).data.references.books;
    expect((await page()).items).toEqual([
      {
        id: first.id,
        slug: first.item.slug,
        collection: library.books,
        title: first.item.data.title,
        locale: 'en',
        translationGroup: first.id,
      },
    ]);
    await library.admin.put(`/content/${library.people}/${ann.id}`, {
      references: { books: [second.id, first.id] },
    });
    expect(idsOf((await page()).items).sort()).toEqual([first.id, second.id].sort());
    expect([await referencedIds(library.admin, first), await referencedIds(library.admin, second)]).toEqual([
      [ann.id],
      [ann.id],
    ]);
    await library.admin.put(`/content/${library.people}/${ann.id}`, { references: { books: [] } });
    expect([await referencedIds(library.admin, first), await referencedIds(library.admin, second)]).toEqual([
      [],
      [],
    ]);
  });

  it('appends the entry to the order of a parent', async () => {
    const [ann, ben] = await library.persons('Ann', 'Ben');
    const entry = await library.book({ authors: [ann.id] });
    await library.admin.put(`/content/${library.people}/${ben.id}`, { references: { books: [entry.id] } });
    expect(await referencedIds(library.admin, entry)).toEqual([ann.id, ben.id]);
  });

  it('enforces the limit of the parent', async () => {
    await library.admin.patch(`/relations/${library.books}_authors`, { maxChildrenPerParent: 1 });
    const [ann, ben] = await library.persons('Ann', 'Ben');
    const entry = await library.book({ authors: [ann.id] });
    const response = await library.admin.put(`/content/${library.people}/${ben.id}`, {
      references: { books: [entry.id] },
    });
    expect([...statusAndCode(response), issuePaths(response)]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['references.books.0'],
    ]);
  });
});

describe('changed limits and concurrent writers', () => {
  it('allow one of 8 concurrent children with maxChildrenPerParent 1', async () => {
    await library.addField('books', { relation: `${library.books}_authors` }, {}, library.people);
    await library.admin.patch(`/relations/${library.books}_authors`, { maxChildrenPerParent: 1 });
    const entry = await library.book();
    const names = Array.from({ length: 8 }, (_, index) => `Name ${index}`);
    const responses = await Promise.all(
      (await library.persons(...names)).map(({ id }) =>
        library.admin.put(`/content/${library.people}/${id}`, { references: { books: [entry.id] } }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...names.slice(1).map(() => 400)]);
    expect(await referencedIds(library.admin, entry)).toHaveLength(1);
  });

  it('reject the publication of references staged before a limit was lowered, and keep the draft', async () => {
    const [ann, ben] = await library.persons('Ann', 'Ben');
    const entry = await library.book({ authors: [ann.id] });
    await entry.publish();
    await entry.put({ references: { authors: [ben.id, ann.id] } });
    const lowered = await library.admin.patch(`/relations/${library.books}_authors`, {
      maxChildrenPerParent: 1,
    });
    expect(lowered.status).toBe(200);
    const response = await entry.publish();
    expect([...statusAndCode(response), issuePaths(response)]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['references.authors'],
    ]);
    expect(await referencedIds(library.admin, entry)).toEqual([ben.id, ann.id]);
    await entry.discard();
    expect(await referencedIds(library.admin, entry)).toEqual([ann.id]);
  });
});
