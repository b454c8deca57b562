import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  issuePaths,
  statusAndCode,
  useRowLock,
  useSite,
  waitUntilBlocked,
  type Client,
} from '@quire/testing';
import { createTerm, termLabels } from './support.js';

const site = useSite();
const rowLock = useRowLock(site);
let editor: Client;

beforeAll(async () => {
  editor = await site.as('editor');
  await site.collection();
  await site.collection({ slug: 'pages' });
  for (const name of ['tag', 'mood'])
    await editor.post('/taxonomies', { name, label: name, collections: ['posts'] });
  for (const label of ['One', 'Two']) await createTerm(editor, 'tag', { label });
  await createTerm(editor, 'mood', { label: 'Glad' });
  const one = (await editor.get('/taxonomies/tag/terms/one')).data.term;
  await createTerm(editor, 'tag', { label: 'Eins', locale: 'de', translationOf: one.id });
});

const post = (body: object, collection = 'posts') =>
  editor.post(`/content/${collection}`, { data: { title: 'Entry' }, ...body });
const labels = (path: string, taxonomy?: string) => termLabels(editor, path, taxonomy);

describe('taxonomies in POST /content/{collection} (contract 7, createContent)', () => {
  it("assign terms by their slugs in the entry's locale", async () => {
    const english = await createEntry(
      editor,
      'posts',
      {},
      { taxonomies: { tag: ['two', 'one'], mood: ['glad'] } },
    );
    expect([await labels(english.path), await labels(english.path, 'mood')]).toEqual([
      ['One', 'Two'],
      ['Glad'],
    ]);
    const german = await createEntry(editor, 'posts', {}, { locale: 'de', taxonomies: { tag: ['eins'] } });
    expect(await labels(german.path)).toEqual(['Eins']);
  });

  it('of a translation replace those of the whole group', async () => {
    const english = await createEntry(editor, 'posts', {}, { taxonomies: { tag: ['two'], mood: ['glad'] } });
    const more = { locale: 'de', translationOf: english.id, taxonomies: { tag: ['eins', 'eins'] } };
    await createEntry(editor, 'posts', {}, more);
    expect([await labels(english.path), await labels(english.path, 'mood')]).toEqual([['One'], ['Glad']]);
  });

  it.each([
    ['an unknown term', 'taxonomies.tag.1', { tag: ['one', 'nothing'] }],
    ['a term of another locale', 'taxonomies.tag.0', { tag: ['eins'] }],
    ['a term of another taxonomy', 'taxonomies.mood.0', { mood: ['one'] }],
    ['an unknown taxonomy', 'taxonomies.nothing', { nothing: [] }],
    ['a value that is not a list', 'taxonomies.tag', { tag: 'one' }],
    ['an empty slug', 'taxonomies.tag.0', { tag: [''] }],
  ])('with %s return 400 VALIDATION_ERROR, and nothing is created', async (_, path, taxonomies) => {
    const response = await post({ slug: 'never', taxonomies });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual([path]);
    expect(statusAndCode(await editor.get('/content/posts/never'))).toEqual([404, 'NOT_FOUND']);
  });

  it('return 400 when the taxonomy does not include the collection', async () => {
    expect(issuePaths(await post({ taxonomies: { tag: [] } }, 'pages'))).toEqual(['taxonomies.tag']);
  });

  it('return one issue per problem', async () => {
    const response = await post({ taxonomies: { nothing: [], tag: ['nothing'] } });
    expect(issuePaths(response)).toEqual(['taxonomies.nothing', 'taxonomies.tag.0']);
  });
});

describe('taxonomies in PUT /content/{collection}/{id} (contract 7, updateContent)', () => {
  const createTagged = () =>
    createEntry(editor, 'posts', {}, { taxonomies: { tag: ['one'], mood: ['glad'] } });

  it('replace only the terms of the given taxonomies; an empty list clears', async () => {
    const { path, put } = await createTagged();
    expect((await put({ taxonomies: { tag: ['two'] } })).status).toBe(200);
    expect([await labels(path), await labels(path, 'mood')]).toEqual([['Two'], ['Glad']]);
    await put({ taxonomies: { mood: [] } });
    expect([await labels(path), await labels(path, 'mood')]).toEqual([['Two'], []]);
    await put({ data: { title: 'Other' }, taxonomies: {} });
    expect(await labels(path)).toEqual(['Two']);
  });

  it('are live at once, while values of a published entry are staged', async () => {
    const entry = await createTagged();
    await entry.publish();
    await entry.put({ data: { title: 'Staged' }, taxonomies: { tag: ['two'] } });
    const reader = await site.as('subscriber');
    expect((await reader.get(entry.path)).data.item.data.title).not.toBe('Staged');
    expect((await reader.get(`${entry.path}/terms/tag`)).data.terms).toMatchObject([{ slug: 'two' }]);
  });

  it('are not stored with a stale _rev or an unknown term', async () => {
    const entry = await createTagged();
    const { _rev } = await entry.get();
    await entry.put({ data: { body: 'newer' } });
    expect(statusAndCode(await entry.put({ _rev, taxonomies: { tag: ['two'] } }))).toEqual([409, 'CONFLICT']);
    const wrong = await entry.put({ data: { body: 'never' }, taxonomies: { tag: ['nothing'] } });
    expect(issuePaths(wrong)).toEqual(['taxonomies.tag.0']);
    expect((await entry.get()).item.data.body).toBe('newer');
    expect(await labels(entry.path)).toEqual(['One']);
  });

  it('end with the terms of one of two concurrent writers of different translations', async () => {
    const english = await createTagged();
    const german = await createEntry(editor, 'posts', {}, { locale: 'de', translationOf: english.id });
    for (let round = 0; round < 10; round += 1) {
      await english.put({ taxonomies: { tag: [] } });
      const responses = await Promise.all([
        english.put({ taxonomies: { tag: ['two'] } }),
        german.put({ taxonomies: { tag: ['eins'] } }),
      ]);
      expect(responses.map(({ status }) => status)).toEqual([200, 200]);
      expect([['One'], ['Two']]).toContainEqual(await labels(english.path));
    }
  });

  it('omit a term that is being deleted', async () => {
    const entry = await createTagged();
    await createTerm(editor, 'tag', { label: 'Brief', slug: 'leaving' });
    await rowLock.acquire(
      `DELETE FROM term_groups g USING terms r WHERE r.group_id = g.id AND r.slug = 'leaving'`,
    );
    const responses = Promise.all([
      entry.put({ taxonomies: { tag: ['one', 'leaving'] } }),
      post({ taxonomies: { tag: ['leaving'] } }),
    ]);
    await waitUntilBlocked(site, ['term_groups'], 2);
    await rowLock.release();
    const [changed, created] = await responses;
    expect([changed.status, created.status]).toEqual([200, 201]);
    expect(await labels(entry.path)).toEqual(['One']);
  });

  it('succeed or return VALIDATION_ERROR during the deletion of the term', async () => {
    const entries = [await createTagged(), await createTagged(), await createTagged()];
    for (let round = 0; round < 5; round += 1) {
      await createTerm(editor, 'tag', { label: 'Brief', slug: 'brief' });
      const [deleted, ...responses] = await Promise.all([
        editor.delete('/taxonomies/tag/terms/brief'),
        ...entries.map(({ put }) => put({ taxonomies: { tag: ['one', 'brief'] } })),
        post({ taxonomies: { tag: ['brief'] } }),
      ]);
      expect(deleted.status).toBe(200);
      for (const { status } of responses) expect([200, 201, 400]).toContain(status);
    }
    for (const { path } of entries) expect(await labels(path)).toEqual(['One']);
  });
});
