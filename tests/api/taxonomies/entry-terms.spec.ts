import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  issuePaths,
  statusAndCode,
  useRowLock,
  useSite,
  waitUntilBlocked,
  type ApiResponse,
  type Client,
} from '@quire/testing';
import { createTerm, termLabels } from './support.js';

const site = useSite();
const rowLock = useRowLock(site);
let editor: Client;
let terms: Record<string, ApiResponse['data']>;

beforeAll(async () => {
  editor = await site.as('editor');
  await site.collection();
  await editor.post('/taxonomies', { name: 'tag', label: 'Tags', collections: ['posts'] });
  await editor.post('/taxonomies', {
    name: 'category',
    label: 'Categories',
    hierarchical: true,
    collections: ['posts'],
  });
  terms = {
    one: await createTerm(editor, 'tag', { label: 'One', description: 'Not shown here' }),
    two: await createTerm(editor, 'tag', { label: 'Two' }),
    three: await createTerm(editor, 'tag', { label: 'Three' }),
    french: await createTerm(editor, 'tag', { label: 'Seul', locale: 'fr' }),
    top: await createTerm(editor, 'category', { label: 'Top' }),
  };
  terms['eins'] = await createTerm(editor, 'tag', {
    label: 'Eins',
    locale: 'de',
    translationOf: terms['one'].id,
  });
  terms['below'] = await createTerm(editor, 'category', { label: 'Below', parentId: terms['top'].id });
});

const id = (name: string): string => terms[name].id;
const ids = (...names: string[]) => ({ termIds: names.map(id) });
const set = (path: string, body: object, taxonomy = 'tag') => editor.post(`${path}/terms/${taxonomy}`, body);
const read = async (path: string, taxonomy = 'tag') => (await editor.get(`${path}/terms/${taxonomy}`)).data;
const labels = (path: string, taxonomy?: string) => termLabels(editor, path, taxonomy);

describe('POST /content/{collection}/{id}/terms/{taxonomy} (contract 7)', () => {
  it('replaces the terms of the taxonomy and returns the same as GET', async () => {
    const { path } = await createEntry(editor);
    await set(path, ids('top', 'below'), 'category');
    const response = await set(path, ids('two', 'one'));
    expect(response.status).toBe(200);
    const { description, ...one } = terms['one'];
    expect(response.data).toEqual({
      terms: [one, terms['two']],
      unresolved: [],
      entryLocale: 'en',
      defaultLocale: 'en',
      implicitDefaultLocale: true,
    });
    expect(await read(path)).toEqual(response.data);
    await set(path, ids('two', 'three'));
    expect(await labels(path)).toEqual(['Two', 'Three']);
    expect((await read(path, 'category')).terms[1]).toMatchObject({ label: 'Below', parentId: id('top') });
    await set(path, { termIds: [] });
    expect([await labels(path), await labels(path, 'category')]).toEqual([[], ['Top', 'Below']]);
  });

  it('assigns a repeated term once, also with ids of two locales', async () => {
    const { path } = await createEntry(editor);
    await set(path, ids('one', 'eins', 'one'));
    expect(await labels(path)).toEqual(['One']);
  });

  it('accepts the slug of an entry with its locale', async () => {
    const english = await createEntry(editor, 'posts', {}, { slug: 'addressed' });
    const german = await createEntry(editor, 'posts', {}, { slug: 'addressed', locale: 'de' });
    await editor.post('/content/posts/addressed/terms/tag?locale=de', ids('two'));
    expect([await labels(english.path), await labels(german.path)]).toEqual([[], ['Two']]);
  });

  it('does not change the entry, its version and its draft, and is live at once', async () => {
    const entry = await createEntry(editor);
    await entry.publish();
    await entry.put({ data: { title: 'Staged' } });
    const before = await entry.get();
    await set(entry.path, ids('one'));
    expect(await entry.get()).toEqual(before);
    const reader = await site.as('subscriber');
    expect((await reader.get(`${entry.path}/terms/tag`)).data.terms).toHaveLength(1);
  });

  it('returns 404 for an unknown entry, taxonomy or term, and changes nothing', async () => {
    const { path } = await createEntry(editor);
    await set(path, ids('one'));
    expect(statusAndCode(await set('/content/posts/nothing', ids('one')))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await set(path, ids('one'), 'nothing'))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await set(path, { termIds: [id('two'), 'nothing'] }))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await set('/content/nothing/x', ids('one')))).toEqual([404, 'COLLECTION_NOT_FOUND']);
    expect(await labels(path)).toEqual(['One']);
  });

  it('returns 400 VALIDATION_ERROR for a term of another taxonomy, and changes nothing', async () => {
    const { path } = await createEntry(editor);
    const response = await set(path, ids('one', 'top'));
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual(['termIds.1']);
    expect(await labels(path)).toEqual([]);
  });

  it('returns 400 when the taxonomy does not include the collection, except to clear terms', async () => {
    await editor.post('/taxonomies', { name: 'former', label: 'Former', collections: ['posts'] });
    const { id: former } = await createTerm(editor, 'former', { label: 'Left over' });
    const { path } = await createEntry(editor);
    await set(path, { termIds: [former] }, 'former');
    await editor.put('/taxonomies/former', { collections: [] });
    const response = await set(path, { termIds: [former] }, 'former');
    expect([...statusAndCode(response), issuePaths(response)]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['termIds'],
    ]);
    expect(await labels(path, 'former')).toEqual(['Left over']);
    expect((await set(path, { termIds: [] }, 'former')).status).toBe(200);
    expect(await labels(path, 'former')).toEqual([]);
  });

  it.each([
    ['termIds', {}],
    ['termIds', { termIds: 'one' }],
    ['termIds.0', { termIds: [''] }],
    ['termIds.0', { termIds: ['\u0000'] }],
    ['termIds', { termIds: Array.from({ length: 1001 }, (_, index) => `id${index}`) }],
  ])('returns 400 VALIDATION_ERROR with the path %s', async (path, body) => {
    const entry = await createEntry(editor);
    expect(issuePaths(await set(entry.path, body))).toEqual([path]);
  });

  it('ends with the terms of one of 8 concurrent requests', async () => {
    const { path } = await createEntry(editor);
    const requested = [['one'], ['two', 'three'], ['three'], ['one', 'two']];
    const responses = await Promise.all(
      [...requested, ...requested].map((names) => set(path, ids(...names))),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    const found = (await read(path)).terms.map(({ slug }: { slug: string }) => slug);
    expect(requested).toContainEqual(found);
  });

  it('does not wait for a term that is being created', async () => {
    const { path } = await createEntry(editor);
    await rowLock.acquire(
      `INSERT INTO terms (id, group_id, taxonomy_id, locale, slug, label)
       SELECT 'held', group_id, taxonomy_id, 'it', 'held', 'Held' FROM terms WHERE id = $1`,
      [id('one')],
    );
    const creation = editor.post('/taxonomies/tag/terms', { label: 'Held', locale: 'it' });
    await waitUntilBlocked(site, ['terms']);
    expect((await set(path, ids('one'))).status).toBe(200);
    await rowLock.rollback();
    expect((await creation).status).toBe(201);
  });

  it('waits only for the deletion of its own terms', async () => {
    const leaving = await createTerm(editor, 'tag', { label: 'Leaving' });
    const [assigned, other] = [await createEntry(editor), await createEntry(editor)];
    await set(assigned.path, { termIds: [leaving.id] });
    await rowLock.acquire('SELECT 1 FROM entry_terms WHERE entry_group = $1 FOR UPDATE', [assigned.id]);
    const deletion = editor.delete('/taxonomies/tag/terms/leaving');
    await waitUntilBlocked(site, ['entry_terms']);
    expect((await set(other.path, ids('one'))).status).toBe(200);
    const waiting = set(other.path, { termIds: [leaving.id] });
    await waitUntilBlocked(site, ['term_groups'], 2);
    await rowLock.release();
    expect((await deletion).status).toBe(200);
    expect(statusAndCode(await waiting)).toEqual([404, 'NOT_FOUND']);
    expect(await labels(other.path)).toEqual(['One']);
  });

  it('returns 200 or 404 during the deletion of the term or the taxonomy', async () => {
    for (let round = 0; round < 5; round += 1) {
      await editor.post('/taxonomies', { name: `brief${round}`, label: 'Brief', collections: ['posts'] });
      const creations = [0, 1, 2].map((index) => createTerm(editor, `brief${round}`, { label: `T${index}` }));
      const termIds = (await Promise.all(creations)).map((each) => each.id);
      const entries = [await createEntry(editor), await createEntry(editor), await createEntry(editor)];
      const [termDeletion, taxonomyDeletion, ...responses] = await Promise.all([
        editor.delete(`/taxonomies/brief${round}/terms/t1`),
        editor.delete(`/taxonomies/brief${round}`),
        ...entries.map(({ path }) => set(path, { termIds }, `brief${round}`)),
      ]);
      expect([200, 404]).toContain(termDeletion.status);
      expect(taxonomyDeletion.status).toBe(200);
      for (const { status } of responses) expect([200, 404]).toContain(status);
    }
    expect(
      await site.sql('SELECT 1 FROM entry_terms WHERE term_group NOT IN (SELECT id FROM term_groups)'),
    ).toEqual([]);
  });
});

describe('GET /content/{collection}/{id}/terms/{taxonomy} (contract 7)', () => {
  it("returns terms in the entry's locale, else the default; others are unresolved", async () => {
    const { path } = await createEntry(editor, 'posts', {}, { locale: 'de' });
    const { data } = await set(path, ids('one', 'two', 'french'));
    expect(data).toEqual({
      terms: [terms['eins'], terms['two']],
      unresolved: [
        {
          translationGroup: id('french'),
          availableLocales: ['fr'],
          translations: [{ id: id('french'), slug: 'seul', locale: 'fr' }],
        },
      ],
      entryLocale: 'de',
      defaultLocale: 'en',
      implicitDefaultLocale: true,
    });
  });

  it('returns the same terms for all translations of the entry', async () => {
    const english = await createEntry(editor);
    await set(english.path, ids('one', 'two'));
    const german = await createEntry(editor, 'posts', {}, { locale: 'de', translationOf: english.id });
    expect(await labels(german.path)).toEqual(['Eins', 'Two']);
    await set(german.path, ids('one'));
    expect([await labels(english.path), await labels(german.path)]).toEqual([['One'], ['Eins']]);
  });
});

describe('terms of an entry', () => {
  it('are copied to a duplicate', async () => {
    const entry = await createEntry(editor);
    await set(entry.path, ids('one', 'two'));
    await set(entry.path, ids('below'), 'category');
    const copy = `/content/posts/${(await entry.duplicate()).data.item.id}`;
    expect([await labels(copy), await labels(copy, 'category')]).toEqual([['One', 'Two'], ['Below']]);
    await set(copy, ids('three'));
    expect(await labels(entry.path)).toEqual(['One', 'Two']);
  });

  it('return 404 while the entry is in the trash and are restored with it', async () => {
    const entry = await createEntry(editor);
    await set(entry.path, ids('one'));
    await entry.remove();
    expect(statusAndCode(await editor.get(`${entry.path}/terms/tag`))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await set(entry.path, ids('two')))).toEqual([404, 'NOT_FOUND']);
    await entry.restore();
    expect(await labels(entry.path)).toEqual(['One']);
  });

  it('are deleted with the last translation of the entry', async () => {
    const admin = await site.as('admin');
    const english = await createEntry(editor);
    const german = await createEntry(editor, 'posts', {}, { locale: 'de', translationOf: english.id });
    await set(english.path, ids('one'));
    const stored = () => site.sql('SELECT 1 FROM entry_terms WHERE entry_group = $1', [english.id]);
    for (const [entry, left] of [
      [english, 1],
      [german, 0],
    ] as const) {
      await entry.remove();
      expect((await admin.delete(`${entry.path}/permanent`)).status).toBe(200);
      expect(await stored()).toHaveLength(left);
    }
  });
});
