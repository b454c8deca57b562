import { describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';
import {
  allBylines,
  allComments,
  allEntries,
  allMappings,
  allMenus,
  allSections,
  allTerms,
  analyze,
  collectionSlugs,
  createPosts,
  dataOf,
  entriesIn,
  exampleFile,
  execute,
  importsPath,
  prepareFor,
} from './support.js';
import { exportOf, posts } from './export-builder.js';

const site = useSite({ lifetime: 'test' });
const mapping = { postTypeMappings: { post: { collection: 'posts' } } };
const undo = (admin: Client, importId: string) => admin.post(`${importsPath}/${importId}/undo`);

/** What an import can create, by kind. */
async function contents(admin: Client) {
  return {
    entries: Object.values(await allEntries(admin)).flat().length,
    terms: Object.values(await allTerms(admin)).flat().length,
    comments: (await allComments(admin)).length,
    menus: (await allMenus(admin)).length,
    sections: (await allSections(admin)).length,
    bylines: (await allBylines(admin)).length,
  };
}
const empty = { entries: 0, terms: 0, comments: 0, menus: 0, sections: 0, bylines: 0 };

describe('POST /import/legacy/imports/{id}/undo', () => {
  it('deletes all that the import created, keeps the collections, and is harmless when it is repeated', async () => {
    const admin = await site.as('admin');
    const file = exampleFile('edge-cases.xml');
    const config = { postTypeMappings: allMappings(await prepareFor(admin, file)) };
    const summary = dataOf(await execute(admin, file, config));
    const imported = { entries: 51, terms: 12, comments: 6, menus: 1, sections: 1, bylines: 4 };
    expect(await contents(admin)).toEqual(imported);
    const undone = await undo(admin, summary.importId);
    expect([undone.status, undone.data]).toEqual([
      200,
      { deleted: { entry: 51, term: 12, comment: 6, menu: 1, section: 1, byline: 4 }, kept: {} },
    ]);
    expect(await contents(admin)).toEqual(empty);
    expect(await collectionSlugs(admin)).toHaveLength(5);
    expect((await undo(admin, summary.importId)).data).toEqual({ deleted: {}, kept: {} });
    const again = dataOf(await execute(admin, file, config));
    expect([again.imported, await contents(admin)]).toEqual([51, imported]);
  });

  it('keeps what a user has changed, and what that uses', async () => {
    const admin = await site.as('admin');
    const file = exportOf([
      { id: 1, creator: 'ada', terms: [['category', 'kept', 'Kept']] },
      { id: 2, creator: 'grace', terms: [['category', 'gone', 'Gone']] },
      { id: 3, comments: [{ id: 7 }] },
    ]);
    await createPosts(site);
    const { importId } = dataOf(await execute(admin, file, mapping));
    const edited = (await admin.put('/content/posts/item-1', { data: { title: 'Mine' } })).data.item;
    const { data } = await undo(admin, importId);
    expect(data).toEqual({
      deleted: { entry: 2, comment: 1, term: 1, byline: 1 },
      kept: { entry: 1, term: 1, byline: 1 },
    });
    const left = await entriesIn(admin, 'posts');
    expect(left.map(({ id }) => id)).toEqual([edited.id]);
    expect(left[0]?.byline?.slug).toBe('ada');
    expect((await allTerms(admin))['category']?.map(({ slug }) => slug)).toEqual(['kept']);
    const repeated = await undo(admin, importId);
    expect([repeated.status, repeated.data.deleted]).toEqual([200, {}]);
    expect(await entriesIn(admin, 'posts')).toEqual(left);
  });

  it('keeps what was there before, and what another import created', async () => {
    const admin = await site.as('admin');
    await createPosts(site);
    const own = (await admin.post('/content/posts', { data: { title: 'Own' } })).data.item;
    const first = dataOf(await execute(admin, exportOf(posts(1, 2)), mapping));
    const second = dataOf(await execute(admin, exportOf(posts(1, 4)), mapping));
    expect([first.imported, second.imported, second.skipped]).toEqual([2, 2, 2]);
    expect((await undo(admin, second.importId)).data.deleted).toEqual({ entry: 2 });
    const slugs = async () => (await entriesIn(admin, 'posts')).map(({ slug }) => slug).sort();
    expect(await slugs()).toEqual(['item-1', 'item-2', own.slug].sort());
    expect((await undo(admin, first.importId)).data.deleted).toEqual({ entry: 2 });
    expect(await slugs()).toEqual([own.slug]);
  });

  it('ends an import that failed: it cannot be resumed, and the same file is imported anew', async () => {
    const admin = await site.as('admin');
    await createPosts(site);
    const file = exportOf(posts(1, 2));
    const { importId } = dataOf(await execute(admin, file, mapping));
    await site.sql(`UPDATE imports SET state = 'failed', file_key = '${site.tenant}/imports/${importId}'`);
    expect(dataOf(await analyze(admin, file)).importId).toBe(importId);
    expect((await undo(admin, importId)).data.deleted).toEqual({ entry: 2 });
    expect(dataOf(await analyze(admin, file)).importId).toBeNull();
    for (const resumed of [
      await admin.post(`${importsPath}/${importId}/resume`),
      await execute(admin, undefined, { importId }),
    ])
      expect([...statusAndCode(resumed), issuePaths(resumed)]).toEqual([
        400,
        'VALIDATION_ERROR',
        ['importId'],
      ]);
    expect(dataOf(await execute(admin, file, { ...mapping, importId: null })).imported).toBe(2);
  });

  it('deletes no entry with a comment of a visitor', async () => {
    const admin = await site.as('admin');
    const file = exportOf(posts(1, 2));
    await createPosts(site);
    await admin.put('/schema/collections/posts', { commentsEnabled: true, commentsClosedAfterDays: 0 });
    const { importId } = dataOf(await execute(admin, file, mapping));
    const { id } = (await admin.get('/content/posts/item-1')).data.item;
    const body = { authorName: 'Ann', authorEmail: 'ann@guests.example', body: 'Well said' };
    const commented = await site.anonymous().post(`/comments/posts/${id}`, body);
    expect(commented.status).toBe(201);
    expect((await undo(admin, importId)).data).toEqual({ deleted: { entry: 1 }, kept: { entry: 1 } });
    expect((await entriesIn(admin, 'posts')).map((entry) => entry.id)).toEqual([id]);
    expect((await allComments(admin)).map((comment) => comment.id)).toEqual([commented.data.id]);
  });

  it('returns 404 for an unknown import', async () => {
    const admin = await site.as('admin');
    const response = await undo(admin, '01ARZ3NDEKTSV4RRFFQ69G5FAV');
    expect(statusAndCode(response)).toEqual([404, 'NOT_FOUND']);
  });
});
