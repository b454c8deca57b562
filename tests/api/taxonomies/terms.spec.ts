import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, createEntry, openSite, statusAndCode, type Client, type Site } from '@quire/testing';

let site: Site;
let editor: Client;

beforeAll(async () => {
  site = await openSite();
  editor = await site.as('editor');
  await site.collection();
  await editor.post('/taxonomies', { name: 'tag', label: 'Tags', collections: ['posts'] });
  await editor.post('/taxonomies', { name: 'category', label: 'Categories', hierarchical: true });
});
afterAll(() => site.close());

const create = (body: object, taxonomy = 'tag') => editor.post(`/taxonomies/${taxonomy}/terms`, body);
const make = async (body: object, taxonomy = 'tag') => {
  const answer = await create(body, taxonomy);
  expect(answer.status).toBe(201);
  return answer.data.term;
};
const get = async (slug: string, taxonomy = 'tag') =>
  (await editor.get(`/taxonomies/${taxonomy}/terms/${slug}`)).data.term;
const put = (slug: string, body: object, taxonomy = 'tag') =>
  editor.put(`/taxonomies/${taxonomy}/terms/${slug}`, body);
const remove = (slug: string, taxonomy = 'tag') => editor.delete(`/taxonomies/${taxonomy}/terms/${slug}`);

describe('createTerm (contract 17)', () => {
  it('answers 201 with every documented property', async () => {
    const term = await make({ label: 'First', slug: 'the-first', description: 'About it', locale: 'de' });
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

  it('has no description unless one is sent', async () => {
    expect(await make({ label: 'Bare' })).not.toHaveProperty('description');
    expect(await make({ label: 'Empty', description: '' })).not.toHaveProperty('description');
  });

  it.each([
    ['Two  Words_here', 'two-words-here'],
    ['Čas & Prostor!', 'čas-prostor'],
    ['日本語', '日本語'],
    ['!!!', expect.stringMatching(/^untitled-[0-9a-f]{8}$/)],
  ])('called %j gets the slug %s', async (label, slug) => {
    expect((await make({ label })).slug).toEqual(slug);
  });

  it('gives way with -1, -2, … when the generated slug is taken in the taxonomy and locale', async () => {
    const slugs = [];
    for (let index = 0; index < 3; index += 1) slugs.push((await make({ label: 'Same' })).slug);
    expect(slugs).toEqual(['same', 'same-1', 'same-2']);
    await make({ label: 'x', slug: 'same-9' });
    expect((await make({ label: 'Same' })).slug).toBe('same-10');
    expect((await make({ label: 'Same', locale: 'de' })).slug).toBe('same');
    expect((await make({ label: 'Same' }, 'category')).slug).toBe('same');
  });

  it('gets a slug of its own when twenty of one label are made at once', async () => {
    const terms = await Promise.all(Array.from({ length: 20 }, () => make({ label: 'Crowd' })));
    expect(new Set(terms.map(({ slug }) => slug)).size).toBe(20);
  });

  it('keeps the slug that is given, and is 409 CONFLICT when that is taken', async () => {
    expect((await make({ label: 'Given', slug: 'As Given' })).slug).toBe('As Given');
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
  ])('names %s as wrong in %j', async (path, body) => {
    const answer = await create({ label: 'Wrong', slug: 'wrong', ...body });
    expect(statusAndCode(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(answer)).toEqual([path]);
    expect(statusAndCode(await editor.get('/taxonomies/tag/terms/wrong'))).toEqual([404, 'NOT_FOUND']);
  });

  it('is 404 in an unknown taxonomy', async () => {
    expect(statusAndCode(await create({ label: 'x' }, 'nothing'))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('createTerm with translationOf', () => {
  it('joins the group, with a slug, label and description of its own', async () => {
    const term = await make({ label: 'House', description: 'Walls' });
    const german = await make({ label: 'Haus', locale: 'de', translationOf: term.id });
    expect(german).toMatchObject({ slug: 'haus', label: 'Haus', locale: 'de', translationGroup: term.id });
    expect(german).not.toHaveProperty('description');
    const french = await make({ label: 'Maison', locale: 'fr', translationOf: german.id });
    expect(french.translationGroup).toBe(term.id);
  });

  it('is 409 CONFLICT when the group has the locale, of five at once for four', async () => {
    const term = await make({ label: 'Once' });
    expect(statusAndCode(await create({ label: 'Again', translationOf: term.id }))).toEqual([
      409,
      'CONFLICT',
    ]);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => create({ label: 'Einmal', locale: 'de', translationOf: term.id })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it('is 404 for an unknown source, 400 for one of another taxonomy', async () => {
    expect(statusAndCode(await create({ label: 'x', locale: 'de', translationOf: 'nothing' }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    const other = await make({ label: 'Other' }, 'category');
    expect(issuePaths(await create({ label: 'x', locale: 'de', translationOf: other.id }))).toEqual([
      'translationOf',
    ]);
  });
});

describe('getTerm', () => {
  beforeAll(async () => {
    for (const locale of ['fr', 'en', 'de']) await make({ label: locale, slug: 'read', locale });
    for (const locale of ['fr', 'de']) await make({ label: locale, slug: 'foreign', locale });
  });

  it.each([
    ['read', 'en'],
    ['read?locale=fr', 'fr'],
    ['read?locale=EN', 'en'],
    ['foreign', 'de'],
  ])(
    '%s is the one in %s: the locale, without one the default, else the lowest code',
    async (path, locale) => {
      expect((await get(path)).locale).toBe(locale);
    },
  );

  it('is 404 in a locale that lacks it, for an unknown slug and in another taxonomy', async () => {
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

describe('updateTerm', () => {
  it('changes what is sent, in its locale alone', async () => {
    const term = await make({ label: 'Before', slug: 'before', description: 'Old' });
    const german = await make({ label: 'Vorher', slug: 'before', locale: 'de', translationOf: term.id });
    const answer = await put('before', { slug: 'after', label: 'After', description: 'New' });
    expect(answer.data.term).toEqual({ ...term, slug: 'after', label: 'After', description: 'New' });
    expect(await get('before')).toMatchObject(german);
    expect((await put('after', {})).data.term).toEqual(answer.data.term);
    expect((await put('after', { description: '' })).data.term).not.toHaveProperty('description');
    expect((await put('before?locale=de', { label: 'Vorher!' })).data.term.label).toBe('Vorher!');
    expect((await get('after')).label).toBe('After');
  });

  it('is 409 CONFLICT for a slug that another term of the locale has, and takes its own again', async () => {
    await make({ label: 'One', slug: 'one' });
    await make({ label: 'Two', slug: 'two' });
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
  ])('names %s as wrong in %j', async (path, body) => {
    expect(issuePaths(await put('read', body))).toEqual([path]);
  });

  it('is 404 for an unknown term or locale', async () => {
    expect(statusAndCode(await put('nothing', {}))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await put('foreign?locale=en', {}))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await put('read', {}, 'nothing'))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('deleteTerm', () => {
  it('removes it and its assignments; the entry stays readable', async () => {
    const term = await make({ label: 'Doomed' });
    const entry = await createEntry(editor);
    await editor.post(`${entry.path}/terms/tag`, { termIds: [term.id] });
    const answer = await remove('doomed');
    expect([answer.status, answer.data]).toEqual([200, { deleted: true }]);
    expect(statusAndCode(await editor.get('/taxonomies/tag/terms/doomed'))).toEqual([404, 'NOT_FOUND']);
    expect((await editor.get(`${entry.path}/terms/tag`)).data).toMatchObject({ terms: [], unresolved: [] });
    expect((await entry.get()).item.id).toBe(entry.id);
    expect(await site.sql('SELECT 1 FROM entry_terms WHERE entry_group = $1', [entry.id])).toEqual([]);
    expect(await site.sql('SELECT 1 FROM term_groups WHERE id = $1', [term.id])).toEqual([]);
  });

  it('in one locale keeps the others and the assignments, also when the first one goes', async () => {
    const term = await make({ label: 'Lasting', slug: 'lasting' });
    const german = await make({ label: 'Bleibend', slug: 'bleibend', locale: 'de', translationOf: term.id });
    const entry = await createEntry(editor, 'posts', {}, { locale: 'de' });
    await editor.post(`${entry.path}/terms/tag`, { termIds: [term.id] });
    await remove('lasting');
    const { terms } = (await editor.get(`${entry.path}/terms/tag`)).data;
    expect(terms).toEqual([german]);
    expect((await editor.post(`${entry.path}/terms/tag`, { termIds: [term.id] })).data.terms).toEqual([
      german,
    ]);
    const again = await make({ label: 'Again', translationOf: german.id });
    expect(again.translationGroup).toBe(term.id);
  });

  it('is 404 for an unknown term', async () => {
    expect(statusAndCode(await remove('nothing'))).toEqual([404, 'NOT_FOUND']);
    expect(statusAndCode(await remove('nothing', 'nowhere'))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('listTerms', () => {
  beforeAll(async () => {
    await editor.post('/taxonomies', { name: 'mood', label: 'Moods' });
    const [glad] = [await make({ label: 'Glad' }, 'mood'), await make({ label: 'Angry' }, 'mood')];
    await make({ label: 'Froh', locale: 'de', translationOf: glad.id }, 'mood');
    await make({ label: 'Allein', locale: 'de' }, 'mood');
    await make({ label: 'Seul', locale: 'fr' }, 'mood');
  });
  const labels = async (query: string) =>
    (await editor.get(`/taxonomies/mood/terms${query}`)).data.terms.map(
      ({ label }: { label: string }) => label,
    );

  it('has the terms of every locale, or of one, in the order of their making', async () => {
    expect(await labels('')).toEqual(['Froh', 'Glad', 'Angry', 'Allein', 'Seul']);
    expect(await labels('?locale=en')).toEqual(['Glad', 'Angry']);
    expect(await labels('?locale=de')).toEqual(['Froh', 'Allein']);
    expect(await labels('?locale=zz')).toEqual([]);
  });

  it('with resolveFallback has one term a group: of the locale, else of the default', async () => {
    expect(await labels('?locale=de&resolveFallback=true')).toEqual(['Froh', 'Angry', 'Allein']);
    expect(await labels('?locale=zz&resolveFallback=true')).toEqual(['Glad', 'Angry']);
    expect(await labels('?locale=de&resolveFallback=false')).toEqual(['Froh', 'Allein']);
  });

  it('needs a locale for resolveFallback, and refuses other words', async () => {
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

  it('is flat in a flat taxonomy: every term without children', async () => {
    const { terms } = (await editor.get('/taxonomies/mood/terms')).data;
    expect(terms.every(({ children }: { children: unknown[] }) => children.length === 0)).toBe(true);
  });
});

describe('the count of a term (contract 6)', () => {
  it('counts published entries that are not in the trash, translations once', async () => {
    await site.collection({ slug: 'notes' });
    await editor.put('/taxonomies/tag', { collections: ['posts', 'notes'] });
    const term = await make({ label: 'Counted' });
    const german = await make({ label: 'Gezählt', locale: 'de', translationOf: term.id });
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

  it('is absent with includeCounts=false, and 0 for a term that no entry has', async () => {
    await make({ label: 'Unused' });
    const { terms } = (await editor.get('/taxonomies/tag/terms?includeCounts=false')).data;
    expect(terms.filter((term: object) => 'count' in term)).toEqual([]);
    expect((await get('unused')).count).toBe(0);
  });
});
