import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let editor: Client;

beforeAll(async () => {
  editor = await site.as('editor');
  await site.collection();
  await site.collection({ slug: 'pages' });
});

const create = (body: object) => editor.post('/taxonomies', { label: 'A label', ...body });
const get = async (path: string) => (await editor.get(`/taxonomies/${path}`)).data.taxonomy;
const put = (path: string, body: object) => editor.put(`/taxonomies/${path}`, body);
const localesOf = async (name: string) =>
  (await editor.get(`/taxonomies/${name}/translations`)).data.translations.map(
    ({ locale }: { locale: string }) => locale,
  );

describe('POST /taxonomies (contract 17)', () => {
  it('returns 201 with every property of the request', async () => {
    const input = {
      name: 'genre',
      label: 'Genres',
      labelSingular: 'Genre',
      hierarchical: true,
      collections: ['posts', 'pages'],
      locale: 'de',
    };
    const response = await create(input);
    expect(response.status).toBe(201);
    const { taxonomy } = response.data;
    expect(taxonomy).toEqual({
      ...input,
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      translationGroup: taxonomy.id,
    });
    expect(await get('genre')).toEqual(taxonomy);
  });

  it('creates by default a flat taxonomy in the default locale, without collections and labelSingular', async () => {
    const { taxonomy } = (await create({ name: 'plain' })).data;
    expect(taxonomy).toMatchObject({ hierarchical: false, collections: [], locale: 'en' });
    expect(taxonomy).not.toHaveProperty('labelSingular');
  });

  it('stores a repeated collection once', async () => {
    const { taxonomy } = (await create({ name: 'twice', collections: ['pages', 'posts', 'pages'] })).data;
    expect(taxonomy.collections).toEqual(['pages', 'posts']);
  });

  it.each([
    ['name', { name: undefined }],
    ['name', { name: '' }],
    ['name', { name: 'Tag' }],
    ['name', { name: '1st' }],
    ['name', { name: 'a-b' }],
    ['name', { name: 'x'.repeat(64) }],
    ['name', { name: 'tag\n' }],
    ['label', { label: '' }],
    ['label', { label: '  ' }],
    ['label', { label: 'x'.repeat(201) }],
    ['label', { label: 'a\u0000' }],
    ['labelSingular', { labelSingular: 'x'.repeat(201) }],
    ['hierarchical', { hierarchical: 'true' }],
    ['collections', { collections: Array.from({ length: 101 }, (_, index) => `c${index}`) }],
    ['collections.1', { collections: ['posts', 'no-slug'] }],
    ['collections.1', { collections: ['posts', 'nothing'] }],
    ['locale', { locale: 'not a locale' }],
    ['translationOf', { translationOf: '' }],
  ])('returns 400 VALIDATION_ERROR with the path %s for %j, and stores nothing', async (path, body) => {
    const response = await create({ name: 'wrong', ...body });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual([path]);
    expect(statusAndCode(await editor.get('/taxonomies/wrong'))).toEqual([404, 'NOT_FOUND']);
  });

  it('accepts a name of 63 characters', async () => {
    expect((await create({ name: 'x'.repeat(63) })).status).toBe(201);
  });

  it('returns 409 CONFLICT for a taken name and locale, and to 9 of 10 concurrent requests', async () => {
    await create({ name: 'taken' });
    expect(statusAndCode(await create({ name: 'taken', hierarchical: true }))).toEqual([409, 'CONFLICT']);
    const responses = await Promise.all(Array.from({ length: 10 }, () => create({ name: 'raced' })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
  });

  it('returns 409 CONFLICT for another spelling of the default locale', async () => {
    await create({ name: 'spelt' });
    expect(statusAndCode(await create({ name: 'spelt', locale: 'EN' }))).toEqual([409, 'CONFLICT']);
  });
});

describe('POST /taxonomies in a further locale (Content rule 5)', () => {
  beforeAll(() =>
    create({ name: 'topic', label: 'Topics', hierarchical: true, collections: ['posts', 'pages'] }),
  );

  it.each([
    ['without translationOf', {}],
    ['with the same values in any order', { hierarchical: true, collections: ['pages', 'posts'] }],
  ])('joins %s, and copies hierarchical and collections', async (_, body) => {
    const { id } = await get('topic?locale=en');
    const locale = Object.keys(body).length > 0 ? 'de' : 'fr';
    const { taxonomy } = (await create({ name: 'topic', label: 'Themen', locale, ...body })).data;
    expect(taxonomy).toMatchObject({
      label: 'Themen',
      hierarchical: true,
      collections: ['posts', 'pages'],
      locale,
      translationGroup: id,
    });
    expect(taxonomy.id).not.toBe(id);
  });

  it('joins with translationOf, the id of a definition or of the group', async () => {
    const { id, translationGroup } = await get('topic?locale=de');
    expect((await create({ name: 'topic', locale: 'it', translationOf: id })).status).toBe(201);
    expect((await create({ name: 'topic', locale: 'es', translationOf: translationGroup })).status).toBe(201);
  });

  it.each([
    ['hierarchical', { hierarchical: false }],
    ['collections', { collections: ['posts'] }],
    ['collections', { collections: [] }],
  ])('returns 400 VALIDATION_ERROR for another %s, and adds no locale', async (path, body) => {
    const response = await create({ name: 'topic', locale: 'nl', ...body });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual([path]);
    expect(await localesOf('topic')).not.toContain('nl');
  });

  it('returns 404 for an unknown translationOf and 400 for one of another taxonomy', async () => {
    expect(statusAndCode(await create({ name: 'topic', locale: 'nl', translationOf: 'nothing' }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    const other = (await create({ name: 'other' })).data.taxonomy;
    const response = await create({ name: 'topic', locale: 'nl', translationOf: other.id });
    expect(issuePaths(response)).toEqual(['translationOf']);
  });

  it('creates one taxonomy for 10 concurrent locales of a new name', async () => {
    const locales = ['aa', 'bb', 'cc', 'dd', 'ee', 'ff', 'gg', 'hh', 'ii', 'jj'];
    const responses = await Promise.all(locales.map((locale) => create({ name: 'together', locale })));
    expect(responses.map(({ status }) => status)).toEqual(locales.map(() => 201));
    expect(await localesOf('together')).toEqual(locales);
    expect(new Set(responses.map(({ data }) => data.taxonomy.translationGroup)).size).toBe(1);
  });
});

describe('GET /taxonomies (Content rule 4)', () => {
  beforeAll(async () => {
    for (const locale of ['de', 'en', 'aa']) await create({ name: 'read', label: locale, locale });
    for (const locale of ['fr', 'de']) await create({ name: 'foreign', label: locale, locale });
  });

  it.each([
    ['read', 'en'],
    ['read?locale=de', 'de'],
    ['read?locale=EN', 'en'],
    ['read?locale=fr', 'en'],
    ['foreign', 'de'],
    ['foreign?locale=fr', 'fr'],
    ['foreign?locale=it', 'de'],
  ])(
    'GET /taxonomies/%s returns the definition in %s: the locale, else the default, else the lowest code',
    async (path, locale) => {
      expect((await get(path)).locale).toBe(locale);
    },
  );

  it('returns 404 for an unknown name and 400 for an invalid locale', async () => {
    for (const name of ['nothing', 'READ', 'x'.repeat(100)])
      expect(statusAndCode(await editor.get(`/taxonomies/${name}`))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await editor.get('/taxonomies/read?locale=1'))).toEqual([400, 'VALIDATION_ERROR']);
    expect(statusAndCode(await editor.get('/taxonomies/%00'))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('lists all locales sorted by name and locale, or one locale', async () => {
    const { taxonomies } = (await editor.get('/taxonomies')).data;
    const names = taxonomies.map(({ name, locale }: Record<string, string>) => `${name} ${locale}`);
    expect(names).toEqual([...names].sort());
    expect(names).toEqual(
      expect.arrayContaining(['foreign de', 'foreign fr', 'read aa', 'read de', 'read en']),
    );
    expect(taxonomies).toContainEqual(await get('read?locale=de'));
    const german = (await editor.get('/taxonomies?locale=de')).data.taxonomies;
    expect(new Set(german.map(({ locale }: Record<string, string>) => locale))).toEqual(new Set(['de']));
    expect((await editor.get('/taxonomies?locale=zz')).data.taxonomies).toEqual([]);
  });

  it('lists the translations sorted by locale', async () => {
    const { translationGroup, id } = await get('read?locale=de');
    const response = (await editor.get('/taxonomies/read/translations')).data;
    expect(response.translationGroup).toBe(translationGroup);
    expect(response.translations.map(({ locale }: Record<string, string>) => locale)).toEqual([
      'aa',
      'de',
      'en',
    ]);
    expect(response.translations[1]).toEqual({ id, name: 'read', label: 'de', locale: 'de' });
    expect(statusAndCode(await editor.get('/taxonomies/nothing/translations'))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('PUT /taxonomies/{name} (Content rule 4)', () => {
  beforeAll(async () => {
    for (const locale of ['en', 'de'])
      await create({ name: 'change', label: locale, labelSingular: 'One', locale });
  });

  it('without a locale updates the definition of the lowest code, not of the default locale', async () => {
    const response = await put('change', { label: 'Lowest' });
    expect(response.data.taxonomy).toMatchObject({ locale: 'de', label: 'Lowest' });
    expect([(await get('change?locale=de')).label, (await get('change?locale=en')).label]).toEqual([
      'Lowest',
      'en',
    ]);
  });

  it('with a locale updates only its labels, and null clears labelSingular', async () => {
    const { taxonomy } = (await put('change?locale=en', { label: 'English', labelSingular: null })).data;
    expect(taxonomy).toMatchObject({ locale: 'en', label: 'English' });
    expect(taxonomy).not.toHaveProperty('labelSingular');
    expect((await get('change?locale=de')).labelSingular).toBe('One');
  });

  it('returns 404 for a locale without a definition', async () => {
    expect(statusAndCode(await put('change?locale=fr', { label: 'x' }))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await put('nothing', { label: 'x' }))).toEqual([404, 'NOT_FOUND']);
  });

  it('updates hierarchical and collections in all locales', async () => {
    await put('change?locale=en', { hierarchical: true, collections: ['pages', 'posts'] });
    for (const locale of ['en', 'de'])
      expect(await get(`change?locale=${locale}`)).toMatchObject({
        hierarchical: true,
        collections: ['pages', 'posts'],
      });
  });

  it('with an empty body changes nothing', async () => {
    const before = await get('change?locale=de');
    expect((await put('change', {})).data.taxonomy).toEqual(before);
  });

  it.each([
    ['label', { label: '' }],
    ['labelSingular', { labelSingular: '' }],
    ['hierarchical', { hierarchical: null }],
    ['collections.0', { collections: ['nothing'] }],
    ['', { name: 'renamed' }],
  ])('returns 400 VALIDATION_ERROR with the path %j for %j', async (path, body) => {
    const response = await put('change', { label: 'never', ...body });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual([path]);
    expect((await get('change?locale=de')).label).not.toBe('never');
  });

  it('rejects hierarchical: false while terms have parents', async () => {
    await create({ name: 'deep', hierarchical: true });
    const parent = (await editor.post('/taxonomies/deep/terms', { label: 'Parent' })).data.term;
    await editor.post('/taxonomies/deep/terms', { label: 'Child', parentId: parent.id });
    expect(issuePaths(await put('deep', { hierarchical: false }))).toEqual(['hierarchical']);
    expect((await get('deep')).hierarchical).toBe(true);
    await editor.put('/taxonomies/deep/terms/child', { parentId: null });
    expect((await put('deep', { hierarchical: false })).data.taxonomy.hierarchical).toBe(false);
  });
});

describe('DELETE /taxonomies/{name} (Content rule 6)', () => {
  it('deletes all locales, terms and assignments, but no entries or other taxonomies', async () => {
    await create({ name: 'deleted', hierarchical: true, collections: ['posts'] });
    await create({ name: 'deleted', locale: 'de' });
    await create({ name: 'remaining', collections: ['posts'] });
    const term = async (taxonomy: string, body: object) =>
      (await editor.post(`/taxonomies/${taxonomy}/terms`, body)).data.term;
    const parent = await term('deleted', { label: 'Parent' });
    const child = await term('deleted', { label: 'Child', parentId: parent.id });
    await term('deleted', { label: 'Kind', locale: 'de', translationOf: child.id });
    const other = await term('remaining', { label: 'Other' });
    const entry = await createEntry(editor);
    await editor.post(`${entry.path}/terms/deleted`, { termIds: [parent.id, child.id] });
    await editor.post(`${entry.path}/terms/remaining`, { termIds: [other.id] });
    const before = await entry.get();

    const response = await editor.delete('/taxonomies/deleted');
    expect([response.status, response.data]).toEqual([200, { deleted: true }]);

    for (const path of ['', '/translations', '/terms', '/terms/child', '/terms/kind?locale=de'])
      expect(statusAndCode(await editor.get(`/taxonomies/deleted${path}`))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await editor.get(`${entry.path}/terms/deleted`))).toEqual([404, 'NOT_FOUND']);
    expect(await entry.get()).toEqual(before);
    expect((await editor.get(`${entry.path}/terms/remaining`)).data.terms).toHaveLength(1);
    const left = 'SELECT term_group FROM entry_terms WHERE entry_group = $1';
    expect(await site.sql(left, [entry.id])).toEqual([{ term_group: other.id }]);

    await create({ name: 'deleted', collections: ['posts'] });
    expect((await editor.get('/taxonomies/deleted/terms')).data.terms).toEqual([]);
    expect((await editor.get(`${entry.path}/terms/deleted`)).data.terms).toEqual([]);
  });

  it('returns 404 for an unknown name, and to 4 of 5 concurrent requests', async () => {
    expect(statusAndCode(await editor.delete('/taxonomies/nothing'))).toEqual([404, 'NOT_FOUND']);
    await create({ name: 'once' });
    const responses = await Promise.all(Array.from({ length: 5 }, () => editor.delete('/taxonomies/once')));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  });

  it('leaves no terms when terms are created concurrently', async () => {
    await create({ name: 'busy' });
    const terms = Array.from({ length: 10 }, (_, index) =>
      editor.post('/taxonomies/busy/terms', { label: `Term ${index}` }),
    );
    const [deletion, ...creations] = await Promise.all([editor.delete('/taxonomies/busy'), ...terms]);
    expect(deletion.status).toBe(200);
    for (const { status } of creations) expect([201, 404]).toContain(status);
    expect(statusAndCode(await editor.get('/taxonomies/busy/terms'))).toEqual([404, 'NOT_FOUND']);
    const orphans = 'SELECT 1 FROM terms r LEFT JOIN taxonomies t ON t.id = r.taxonomy_id WHERE t.id IS NULL';
    expect(await site.sql(orphans)).toEqual([]);
  });
});

describe('concurrent deletion', () => {
  it('of a taxonomy and of entries with its terms succeeds', async () => {
    const admin = await site.as('admin');
    await create({ name: 'ending' });
    const creations = Array.from({ length: 30 }, (_, index) =>
      editor.post('/taxonomies/ending/terms', { label: `Term ${index}` }),
    );
    const termIds = (await Promise.all(creations)).map(({ data }) => data.term.id);
    // The stored order differs from the order of ids: deletions that lock in different orders would deadlock.
    await editor.post('/taxonomies/ending/reorder', { ids: [...termIds].reverse() });
    const entries = await Promise.all(Array.from({ length: 8 }, () => createEntry(editor)));
    for (const { path, remove } of entries) {
      await editor.post(`${path}/terms/ending`, { termIds });
      await remove();
    }
    const responses = await Promise.all([
      editor.delete('/taxonomies/ending'),
      ...entries.map(({ path }) => admin.delete(`${path}/permanent`)),
    ]);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    expect(await site.sql('SELECT 1 FROM entry_terms WHERE term_group = ANY($1)', [termIds])).toEqual([]);
  });
});

describe('DELETE /schema/collections/{slug}', () => {
  it('removes the collection from taxonomies and deletes its assignments', async () => {
    await site.collection({ slug: 'brief' });
    await create({ name: 'lasting', collections: ['brief', 'posts'] });
    const { term } = (await editor.post('/taxonomies/lasting/terms', { label: 'Term' })).data;
    const entry = await createEntry(editor, 'brief');
    await entry.publish();
    await editor.post(`${entry.path}/terms/lasting`, { termIds: [term.id] });
    expect((await editor.get('/taxonomies/lasting/terms/term')).data.term.count).toBe(1);
    await (await site.as('admin')).delete('/schema/collections/brief?force=true');
    expect((await get('lasting')).collections).toEqual(['posts']);
    expect((await editor.get('/taxonomies/lasting/terms/term')).data.term.count).toBe(0);
    expect(await site.sql('SELECT 1 FROM entry_terms WHERE entry_group = $1', [entry.id])).toEqual([]);
    expect((await create({ name: 'lasting', locale: 'de', collections: ['posts'] })).status).toBe(201);
  });
});
