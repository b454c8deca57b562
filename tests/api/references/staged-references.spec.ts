import { beforeEach, describe, expect, it } from '@jest/globals';
import { createEntry, eventually, idsOf, itemOf, makeOverdue, type TestEntry } from '@quire/testing';
import { referencedIds, useLibrary } from './support.js';

const library = useLibrary();

describe('references of a published entry, on a collection with revisions (document 1)', () => {
  let entry: TestEntry;
  let ann: { id: string };
  let ben: { id: string };
  beforeEach(async () => {
    [ann, ben] = (await library.persons('Ann', 'Ben')) as [{ id: string }, { id: string }];
    await Promise.all(
      [ann, ben].map(({ id }) => library.admin.post(`/content/${library.people}/${id}/publish`)),
    );
    entry = await library.book({ authors: [ann.id] });
    await entry.publish();
  });
  const visibleIds = async () => ({
    editors: await referencedIds(library.admin, entry),
    readers: await referencedIds(library.reader, entry),
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
    await library.addField('editors', { targetCollection: library.people, multiple: true });
    await entry.put({ references: { authors: [ben.id] } });
    await entry.put({ data: { body: 'new' } });
    await entry.put({ references: { editors: [ann.id] } });
    expect(await referencedIds(library.admin, entry)).toEqual([ben.id]);
    await entry.publish();
    expect([
      await referencedIds(library.reader, entry),
      await referencedIds(library.reader, entry, 'editors'),
    ]).toEqual([[ben.id], [ann.id]]);
  });

  it('go live on schedule', async () => {
    await entry.put({ references: { authors: [ben.id] } });
    await entry.schedule();
    await makeOverdue(library.site, entry);
    const shown = await eventually(
      () => referencedIds(library.reader, entry),
      ([first]) => first === ben.id,
    );
    expect(shown).toEqual([ben.id]);
  });

  it('are live at once on an unpublished entry', async () => {
    const draft = await library.book();
    await draft.put({ references: { authors: [ann.id] } });
    const { item } = await draft.get();
    expect([await referencedIds(library.admin, draft), item.draftRevisionId]).toEqual([[ann.id], null]);
  });

  it('remain after unpublish, and are then live at once', async () => {
    await entry.put({ references: { authors: [ben.id] } });
    await entry.publish();
    await entry.unpublish();
    expect(await referencedIds(library.admin, entry)).toEqual([ben.id]);
    await entry.put({ references: { authors: [ann.id] } });
    await entry.publish();
    expect(await visibleIds()).toEqual({ editors: [ann.id], readers: [ann.id] });
  });

  it('are part of a revision and restored with it as a draft', async () => {
    await entry.put({ references: { authors: [ben.id] } });
    const { items } = (await library.admin.get(`${entry.path}/revisions`)).data;
    expect(items[0].references).toEqual({ authors: [expect.any(String)] });
    expect(items[0].data).not.toHaveProperty('_references');
    await entry.discard();
    await library.admin.post(`/revisions/${items[0].id}/restore`);
    expect(await visibleIds()).toEqual({ editors: [ben.id], readers: [ann.id] });
  });

  it('omit entries that were permanently deleted before publication', async () => {
    await entry.put({ references: { authors: [ben.id, ann.id] } });
    await library.admin.delete(`/content/${library.people}/${ben.id}`);
    await library.admin.delete(`/content/${library.people}/${ben.id}/permanent`);
    expect((await entry.publish()).status).toBe(200);
    expect(await referencedIds(library.admin, entry)).toEqual([ann.id]);
  });

  it('are duplicated from the draft', async () => {
    await entry.put({ references: { authors: [ben.id] } });
    const copy = itemOf(await entry.duplicate());
    const { references } = (await library.admin.get(`/content/${library.books}/${copy.id}`)).data;
    expect(idsOf(references.authors.items)).toEqual([ben.id]);
  });

  it('do not reappear in a new field after the relation was deleted', async () => {
    await entry.put({ references: { authors: [ben.id] } });
    expect((await library.admin.delete(`/relations/${library.books}_authors?force=true`)).status).toBe(200);
    await library.addField('authors', { targetCollection: library.people, multiple: true });
    expect(await visibleIds()).toEqual({ editors: [], readers: [] });
  });

  it('are removed from revisions with the target collection; other values are unchanged', async () => {
    await library.admin.post(`/schema/collections/${library.books}/fields`, {
      slug: 'any',
      label: 'Any',
      type: 'json',
    });
    const any = { zebra: 1, apple: { longer: 1, b: 2 } };
    await entry.put({ data: { any }, references: { authors: [ben.id] } });
    expect((await library.admin.delete(`/schema/collections/${library.people}?force=true`)).status).toBe(200);
    const { items } = (await library.admin.get(`${entry.path}/revisions`)).data;
    expect([items[0].references, JSON.stringify(items[0].data.any)]).toEqual([{}, JSON.stringify(any)]);
  });

  it('do not reappear in a new field of the same name', async () => {
    await entry.put({ references: { authors: [ben.id] } });
    await library.admin.delete(`/schema/collections/${library.books}/fields/authors`);
    await library.addField('authors', { targetCollection: library.people, multiple: true });
    expect(await visibleIds()).toEqual({ editors: [], readers: [] });
  });
});

describe('references on a collection without revisions', () => {
  it('are live at once, published or not', async () => {
    const plain = 'plain';
    await library.site.collection({ slug: plain, supports: ['drafts'] });
    await library.addField('authors', { targetCollection: library.people }, {}, plain);
    const [ann] = await library.persons('Ann');
    await library.admin.post(`/content/${library.people}/${ann.id}/publish`);
    const entry = await createEntry(library.admin, plain);
    await entry.publish();
    await entry.put({ references: { authors: [ann.id] } });
    expect(await referencedIds(library.reader, entry)).toEqual([ann.id]);
  });
});
