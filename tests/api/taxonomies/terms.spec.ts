import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';
import { createTerm } from './support.js';

const site = useSite();
let editor: Client;

beforeAll(async () => {
  editor = await site.as('editor');
  await site.collection();
  await editor.post('/taxonomies', { name: 'tag', label: 'Tags', collections: ['posts'] });
  await editor.post('/taxonomies', { name: 'category', label: 'Categories', hierarchical: true });
});

const create = (body: object, taxonomy = 'tag') => editor.post(`/taxonomies/${taxonomy}/terms`, body);
const newTerm = (body: object, taxonomy = 'tag') => createTerm(editor, taxonomy, body);
const get = async (slug: string, taxonomy = 'tag') =>
  (await editor.get(`/taxonomies/${taxonomy}/terms/${slug}`)).data.term;
const put = (slug: string, body: object, taxonomy = 'tag') =>
  editor.put(`/taxonomies/${taxonomy}/terms/${slug}`, body);
const remove = (slug: string, taxonomy = 'tag') => editor.delete(`/taxonomies/${taxonomy}/terms/${slug}`);

describe('POST /taxonomies/{name}/terms (contract 17)', () => {
  it('returns 201 with every documented property', async () => {
    const term = await newTerm({
      label: 'First',
      slug: 'the-first',
      description: 'About it',
      locale: 'de',
    });
    expect(term).toEqual({
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      name: 'tag',
      slug: 'the-first',
      label: 'First',
      parentId: null,
      description: 'About it',
      locale: 'de',
      translationGroup: term.id,
    });
    expect(await get('the-first')).toEqual({ ...term, count: 0, children: [] });
  });

  it('returns no description unless one is given', async () => {
    expect(await newTerm({ label: 'Bare' })).not.toHaveProperty('description');
    expect(await newTerm({ label: 'Empty', description: '' })).not.toHaveProperty('description');
  });

  it.each([
    ['Two  Words_here', 'two-words-here'],
    ['Čas & Prostor!', 'čas-prostor'],
    ['日本語', '日本語'],
    ['!!!', expect.stringMatching(/^untitled-[0-9a-f]{8}$/)],
  ])('derives the slug of %j as %s', async (label, slug) => {
    expect((await newTerm({ label })).slug).toEqual(slug);
  });

  it('appends -1, -2, … to a generated slug that is taken in the taxonomy and locale', async () => {
    const slugs = [];
    for (let index = 0; index < 3; index += 1) slugs.push((await newTerm({ label: 'Same' })).slug);
    expect(slugs).toEqual(['same', 'same-1', 'same-2']);
    await newTerm({ label: 'x', slug: 'same-9' });
    expect((await newTerm({ label: 'Same' })).slug).toBe('same-10');
    expect((await newTerm({ label: 'Same', locale: 'de' })).slug).toBe('same');
    expect((await newTerm({ label: 'Same' }, 'category')).slug).toBe('same');
  });

  it('generates distinct slugs for 20 concurrent terms of one label', async () => {
    const terms = await Promise.all(Array.from({ length: 20 }, () => newTerm({ label: 'Crowd' })));
    expect(new Set(terms.map(({ slug }) => slug)).size).toBe(20);
  });

  it('stores a given slug unchanged and returns 409 CONFLICT when it is taken', async () => {
    expect((await newTerm({ label: 'Given', slug: 'As Given' })).slug).toBe('As Given');
    expect((await get('As%20Given')).label).toBe('Given');
    expect(statusAndCode(await create({ label: 'x', slug: 'As Given' }))).toEqual([409, 'CONFLICT']);
    expect((await create({ label: 'x', slug: 'As Given', locale: 'de' })).status).toBe(201);
    expect((await create({ label: 'x', slug: 'As Given' }, 'category')).status).toBe(201);
    const raced = await Promise.all(Array.from({ length: 5 }, () => create({ label: 'x', slug: 'raced' })));
    expect(raced.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it.each([
    ['label', { label: undefined }],
    ['label', { label: '' }],
    ['label', { label: ' ' }],
    ['label', { label: 'x'.repeat(201) }],
    ['label', { label: 'a\u0000' }],
    ['slug', { slug: '' }],
    ['slug', { slug: ' ' }],
    ['slug', { slug: 'a/b' }],
    ['slug', { slug: '.' }],
    ['slug', { slug: '..' }],
    ['slug', { slug: 'x'.repeat(256) }],
    ['slug', { slug: '\ud800' }],
    ['description', { description: 'x'.repeat(10_001) }],
    ['description', { description: null }],
    ['locale', { locale: 'no locale' }],
    ['parentId', { parentId: 5 }],
    ['parentId', { parentId: 'nothing' }],
    ['translationOf', { translationOf: '' }],
  ])('returns 400 VALIDATION_ERROR with the path %s for %j', async (path, body) => {
    const response = await create({ label: 'Wrong', slug: 'wrong', ...body });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual([path]);
    expect(statusAndCode(await editor.get('/taxonomies/tag/terms/wrong'))).toEqual([404, 'NOT_FOUND']);
  });

  it('returns 404 NOT_FOUND in an unknown taxonomy', async () => {
    expect(statusAndCode(await create({ label: 'x' }, 'nothing'))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('POST /taxonomies/{name}/terms with translationOf', () => {
  it('joins the group with a separate slug, label and description', async () => {
    const term = await newTerm({ label: 'House', description: 'Walls' });
    const german = await newTerm({ label: 'Haus', locale: 'de', translationOf: term.id });
    expect(german).toMatchObject({ slug: 'haus', label: 'Haus', locale: 'de', translationGroup: term.id });
    expect(german).not.toHaveProperty('description');
    const french = await newTerm({ label: 'Maison', locale: 'fr', translationOf: german.id });
    expect(french.translationGroup).toBe(term.id);
  });

  it('returns 409 CONFLICT when the group has the locale, and to 4 of 5 concurrent requests', async () => {
    const term = await newTerm({ label: 'Once' });
    expect(statusAndCode(await create({ label: 'Again', translationOf: term.id }))).toEqual([
      409,
      'CONFLICT',
    ]);
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => create({ label: 'Einmal', locale: 'de', translationOf: term.id })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it('returns 404 for an unknown source and 400 for one of another taxonomy', async () => {
    expect(statusAndCode(await create({ label: 'x', locale: 'de', translationOf: 'nothing' }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    const other = await newTerm({ label: 'Other' }, 'category');
    expect(issuePaths(await create({ label: 'x', locale: 'de', translationOf: other.id }))).toEqual([
      'translationOf',
    ]);
  });
});

describe('GET /taxonomies/{name}/terms/{slug}', () => {
  beforeAll(async () => {
    for (const locale of ['fr', 'en', 'de']) await newTerm({ label: locale, slug: 'read', locale });
    for (const locale of ['fr', 'de']) await newTerm({ label: locale, slug: 'foreign', locale });
  });

  it.each([
    ['read', 'en'],
    ['read?locale=fr', 'fr'],
    ['read?locale=EN', 'en'],
    ['foreign', 'de'],
  ])(
    'returns for %s the term in %s: the locale, without one the default, else the lowest code',
    async (path, locale) => {
      expect((await get(path)).locale).toBe(locale);
    },
  );

  it('returns 404 in a locale without the term, for an unknown slug and in another taxonomy', async () => {
    for (const path of [
      'tag/terms/foreign?locale=en',
      'tag/terms/nothing',
      'category/terms/read',
      'x/terms/read',
    ])
      expect(statusAndCode(await editor.get(`/taxonomies/${path}`))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await editor.get('/taxonomies/tag/terms/%00'))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('PUT /taxonomies/{name}/terms/{slug}', () => {
  it('updates only the properties of the request, in one locale', async () => {
    const term = await newTerm({ label: 'Before', slug: 'before', description: 'Old' });
    const german = await newTerm({
      label: 'Vorher',
      slug: 'before',
      locale: 'de',
      translationOf: term.id,
    });
    const response = await put('before', { slug: 'after', label: 'After', description: 'New' });
    expect(response.data.term).toEqual({ ...term, slug: 'after', label: 'After', description: 'New' });
    expect(await get('before')).toMatchObject(german);
    expect((await put('after', {})).data.term).toEqual(response.data.term);
    expect((await put('after', { description: '' })).data.term).not.toHaveProperty('description');
    expect((await put('before?locale=de', { label: 'Vorher!' })).data.term.label).toBe('Vorher!');
    expect((await get('after')).label).toBe('After');
  });

  it("returns 409 CONFLICT for a taken slug and accepts the term's own", async () => {
    await newTerm({ label: 'One', slug: 'one' });
    await newTerm({ label: 'Two', slug: 'two' });
    expect(statusAndCode(await put('one', { slug: 'two', label: 'never' }))).toEqual([409, 'CONFLICT']);
    expect((await get('one')).label).toBe('One');
    expect((await put('one', { slug: 'one' })).status).toBe(200);
  });

  it.each([
    ['slug', { slug: '' }],
    ['slug', { slug: 'a/b' }],
    ['label', { label: '' }],
    ['label', { label: null }],
    ['parentId', { parentId: 'nothing' }],
  ])('returns 400 VALIDATION_ERROR with the path %s for %j', async (path, body) => {
    expect(issuePaths(await put('read', body))).toEqual([path]);
  });

  it('returns 404 for an unknown term or locale', async () => {
    expect(statusAndCode(await put('nothing', {}))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await put('foreign?locale=en', {}))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await put('read', {}, 'nothing'))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('DELETE /taxonomies/{name}/terms/{slug}', () => {
  it('deletes the term and its assignments; the entry stays readable', async () => {
    const term = await newTerm({ label: 'Deleted' });
    const entry = await createEntry(editor);
    await editor.post(`${entry.path}/terms/tag`, { termIds: [term.id] });
    const response = await remove('deleted');
    expect([response.status, response.data]).toEqual([200, { deleted: true }]);
    expect(statusAndCode(await editor.get('/taxonomies/tag/terms/deleted'))).toEqual([404, 'NOT_FOUND']);
    expect((await editor.get(`${entry.path}/terms/tag`)).data).toMatchObject({ terms: [], unresolved: [] });
    expect((await entry.get()).item.id).toBe(entry.id);
    expect(await site.sql('SELECT 1 FROM entry_terms WHERE entry_group = $1', [entry.id])).toEqual([]);
    expect(await site.sql('SELECT 1 FROM term_groups WHERE id = $1', [term.id])).toEqual([]);
  });

  it('in one locale keeps other locales and the assignments', async () => {
    const term = await newTerm({ label: 'Lasting', slug: 'lasting' });
    const german = await newTerm({
      label: 'Bleibend',
      slug: 'bleibend',
      locale: 'de',
      translationOf: term.id,
    });
    const entry = await createEntry(editor, 'posts', {}, { locale: 'de' });
    await editor.post(`${entry.path}/terms/tag`, { termIds: [term.id] });
    await remove('lasting');
    const { terms } = (await editor.get(`${entry.path}/terms/tag`)).data;
    expect(terms).toEqual([german]);
    expect((await editor.post(`${entry.path}/terms/tag`, { termIds: [term.id] })).data.terms).toEqual([
      german,
    ]);
    const again = await newTerm({ label: 'Again', translationOf: german.id });
    expect(again.translationGroup).toBe(term.id);
  });

  it('returns 404 for an unknown term', async () => {
    expect(statusAndCode(await remove('nothing'))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await remove('nothing', 'nowhere'))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('GET /taxonomies/{name}/terms', () => {
  beforeAll(async () => {
    await editor.post('/taxonomies', { name: 'mood', label: 'Moods' });
    const [glad] = [await newTerm({ label: 'Glad' }, 'mood'), await newTerm({ label: 'Angry' }, 'mood')];
    await newTerm({ label: 'Froh', locale: 'de', translationOf: glad.id }, 'mood');
    await newTerm({ label: 'Allein', locale: 'de' }, 'mood');
    await newTerm({ label: 'Seul', locale: 'fr' }, 'mood');
  });
  const labels = async (query: string) =>
    (await editor.get(`/taxonomies/mood/terms${query}`)).data.terms.map(
      ({ label }: { label: string }) => label,
    );

  it('returns the terms of all locales, or of one, in order of creation', async () => {
    expect(await labels('')).toEqual(['Froh', 'Glad', 'Angry', 'Allein', 'Seul']);
    expect(await labels('?locale=en')).toEqual(['Glad', 'Angry']);
    expect(await labels('?locale=de')).toEqual(['Froh', 'Allein']);
    expect(await labels('?locale=zz')).toEqual([]);
  });

  it('with resolveFallback returns one term per group: in the locale, else the default', async () => {
    expect(await labels('?locale=de&resolveFallback=true')).toEqual(['Froh', 'Angry', 'Allein']);
    expect(await labels('?locale=zz&resolveFallback=true')).toEqual(['Glad', 'Angry']);
    expect(await labels('?locale=de&resolveFallback=false')).toEqual(['Froh', 'Allein']);
  });

  it('returns 400 for resolveFallback without a locale and for invalid values', async () => {
    for (const query of [
      '?resolveFallback=true',
      '?resolveFallback=1&locale=de',
      '?includeCounts=no',
      '?locale=1',
    ])
      expect(statusAndCode(await editor.get(`/taxonomies/mood/terms${query}`))).toEqual([
        400,
        'VALIDATION_ERROR',
      ]);
    expect(statusAndCode(await editor.get('/taxonomies/nothing/terms'))).toEqual([404, 'NOT_FOUND']);
  });

  it('returns terms without children in a flat taxonomy', async () => {
    const { terms } = (await editor.get('/taxonomies/mood/terms')).data;
    expect(terms.every(({ children }: { children: unknown[] }) => children.length === 0)).toBe(true);
  });
});

describe('count of a term (contract 6)', () => {
  it('is the number of published entries outside the trash, translations counted once', async () => {
    await site.collection({ slug: 'notes' });
    await editor.put('/taxonomies/tag', { collections: ['posts', 'notes'] });
    const term = await newTerm({ label: 'Counted' });
    const german = await newTerm({ label: 'Gezählt', locale: 'de', translationOf: term.id });
    const assign = async (collection: string, more = {}) => {
      const entry = await createEntry(editor, collection, {}, more);
      await editor.post(`${entry.path}/terms/tag`, { termIds: [term.id] });
      return entry;
    };
    const [draft, published, trashed, note] = [
      await assign('posts'),
      await assign('posts'),
      await assign('posts'),
      await assign('notes'),
    ];
    for (const entry of [published, trashed, note]) await entry.publish();
    await trashed.remove();
    const translation = await createEntry(editor, 'posts', {}, { locale: 'de', translationOf: published.id });
    await translation.publish();
    const counts = async () => [
      (await get('counted')).count,
      (await get('gezählt')).count,
      ...(await editor.get('/taxonomies/tag/terms?locale=en')).data.terms
        .filter(({ id }: { id: string }) => id === term.id)
        .map(({ count }: { count: number }) => count),
    ];
    expect(await counts()).toEqual([2, 2, 2]);
    await published.remove();
    expect(await counts()).toEqual([2, 2, 2]);
    await translation.remove();
    await draft.publish();
    await note.unpublish();
    expect(await counts()).toEqual([1, 1, 1]);
    expect((await get('gezählt')).id).toBe(german.id);
  });

  it('is absent with includeCounts=false and 0 for an unused term', async () => {
    await newTerm({ label: 'Unused' });
    const { terms } = (await editor.get('/taxonomies/tag/terms?includeCounts=false')).data;
    expect(terms.filter((term: object) => 'count' in term)).toEqual([]);
    expect((await get('unused')).count).toBe(0);
  });
});
