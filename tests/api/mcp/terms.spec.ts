import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, useSite, type Client } from '@quire/testing';

const site = useSite();
let editor: Client;

beforeAll(async () => {
  editor = await site.as('editor');
  for (const [name, hierarchical] of [
    ['flat', false],
    ['tree', true],
    ['other', true],
  ] as const)
    await call('taxonomy_create', { name, label: name, hierarchical });
});

const call = (name: string, args: object = {}, client = editor) => callTool(client, name, args);
const create = (taxonomy: string, label: string, more: object = {}) =>
  call('taxonomy_create_term', { taxonomy, label, ...more });
const created = async (...args: Parameters<typeof create>) => (await create(...args)).data.term;
const update = (taxonomy: string, termSlug: string, more: object) =>
  call('taxonomy_update_term', { taxonomy, termSlug, ...more });
const list = (taxonomy: string, more: object = {}) => call('taxonomy_list_terms', { taxonomy, ...more });
const labels = async (...args: Parameters<typeof list>): Promise<string[]> =>
  (await list(...args)).data.items.map(({ label }: { label: string }) => label);

describe('taxonomy_create_term', () => {
  it('returns the term, with a slug from the label', async () => {
    const { data } = await create('flat', 'Über Größe', { description: 'About size' });
    expect(data).toEqual({
      term: {
        id: expect.any(String),
        name: 'flat',
        slug: expect.any(String),
        label: 'Über Größe',
        parentId: null,
        description: 'About size',
        locale: 'en',
        translationGroup: data.term.id,
      },
    });
    expect((await created('flat', '日本')).slug).toBe('日本');
  });

  it('rejects a taken slug with CONFLICT in the same taxonomy and locale only', async () => {
    await create('flat', 'Taken', { slug: 'taken' });
    expect((await create('flat', 'Again', { slug: 'taken' })).code).toBe('CONFLICT');
    expect((await create('flat', 'Nochmal', { slug: 'taken', locale: 'de' })).isError).toBe(false);
    expect((await create('tree', 'Again', { slug: 'taken' })).isError).toBe(false);
  });

  it('adds a locale to the group of translationOf', async () => {
    const parent = await created('tree', 'Root of both');
    const source = await created('tree', 'Shared', { parentId: parent.id });
    const joined = await created('tree', 'Geteilt', { locale: 'de', translationOf: source.id });
    expect(joined).toMatchObject({ translationGroup: source.id, parentId: parent.id, locale: 'de' });
    const again = { locale: 'de', translationOf: source.id };
    expect((await create('tree', 'Noch eins', again)).code).toBe('CONFLICT');
    expect((await create('tree', 'X', { locale: 'fr', translationOf: 'x' })).code).toBe('NOT_FOUND');
    expect((await create('other', 'X', { locale: 'fr', translationOf: source.id })).code).toBe(
      'VALIDATION_ERROR',
    );
  });

  it('returns NOT_FOUND for an unknown taxonomy', async () => {
    expect((await create('nothing', 'X')).code).toBe('NOT_FOUND');
  });
});

describe('parentId', () => {
  const parentError = ['VALIDATION_ERROR', [expect.objectContaining({ path: 'parentId' })]];
  const outcome = async (call: ReturnType<typeof create>) => {
    const { code, details } = await call;
    return [code, details?.['issues']];
  };

  it('is rejected in a flat taxonomy', async () => {
    const { id, slug } = await created('flat', 'Flat parent');
    expect(await outcome(create('flat', 'Child', { parentId: id }))).toEqual(parentError);
    expect(await outcome(update('flat', slug, { parentId: id }))).toEqual(parentError);
  });

  it('is rejected for a term of another taxonomy, and for no term', async () => {
    const { id } = await created('other', 'Elsewhere');
    const { slug } = await created('tree', 'Here');
    for (const parentId of [id, 'nothing']) {
      expect(await outcome(create('tree', 'Child', { parentId }))).toEqual(parentError);
      expect(await outcome(update('tree', slug, { parentId }))).toEqual(parentError);
    }
  });

  it('is rejected for the term and its descendants', async () => {
    const top = await created('tree', 'Top');
    const middle = await created('tree', 'Middle', { parentId: top.id });
    const low = await created('tree', 'Low', { parentId: middle.id });
    for (const parentId of [top.id, middle.id, low.id])
      expect(await outcome(update('tree', top.slug, { parentId }))).toEqual(parentError);
  });

  it('is null to detach a term, and kept when omitted', async () => {
    const parent = await created('tree', 'Attached to');
    const { slug } = await created('tree', 'Detached', { parentId: parent.id });
    expect((await update('tree', slug, { label: 'Renamed' })).data.term.parentId).toBe(parent.id);
    expect((await update('tree', slug, { parentId: null })).data.term.parentId).toBeNull();
  });

  it('may give a term 100 ancestors, and no more', async () => {
    let parentId: string | undefined;
    for (let depth = 0; depth <= 100; depth += 1)
      ({ id: parentId } = await created('other', `D${depth}`, { parentId }));
    const { code, text } = await create('other', 'Too deep', { parentId });
    expect([code, text]).toEqual(['VALIDATION_ERROR', expect.stringContaining('maximum depth')]);
  });
});

describe('taxonomy_update_term', () => {
  it('changes the given texts of one locale', async () => {
    const { id } = await created('flat', 'Old', { slug: 'old', description: 'Kept' });
    await create('flat', 'Alt', { slug: 'old', locale: 'de', translationOf: id });
    const { term } = (await update('flat', 'old', { slug: 'new', label: 'New' })).data;
    expect(term).toMatchObject({ id, slug: 'new', label: 'New', description: 'Kept', locale: 'en' });
    const german = (await update('flat', 'old', { description: 'Neu', locale: 'de' })).data.term;
    expect(german).toMatchObject({ slug: 'old', label: 'Alt', description: 'Neu', locale: 'de' });
  });

  it('finds a slug without a locale in the default locale, else in the lowest code', async () => {
    for (const locale of ['fr', 'de']) await create('flat', locale, { slug: 'shared', locale });
    expect((await update('flat', 'shared', { label: 'found' })).data.term.locale).toBe('de');
    await create('flat', 'en', { slug: 'shared' });
    expect((await update('flat', 'shared', { label: 'found' })).data.term.locale).toBe('en');
  });

  it('rejects a taken slug with CONFLICT, and returns NOT_FOUND for no term', async () => {
    await create('flat', 'One', { slug: 'one' });
    await create('flat', 'Two', { slug: 'two' });
    expect((await update('flat', 'two', { slug: 'one' })).code).toBe('CONFLICT');
    expect((await update('flat', 'nothing', { label: 'X' })).code).toBe('NOT_FOUND');
    expect((await update('flat', 'one', { label: 'X', locale: 'it' })).code).toBe('NOT_FOUND');
    expect((await update('nothing', 'one', { label: 'X' })).code).toBe('NOT_FOUND');
  });
});

describe('taxonomy_delete_term', () => {
  const remove = (taxonomy: string, termSlug: string) => call('taxonomy_delete_term', { taxonomy, termSlug });

  it('deletes a term', async () => {
    const { slug } = await created('flat', 'Doomed');
    expect((await remove('flat', slug)).data).toEqual({ deleted: true });
    expect((await remove('flat', slug)).code).toBe('NOT_FOUND');
  });

  it('rejects a term with children with VALIDATION_ERROR, and deletes nothing', async () => {
    const parent = await created('tree', 'Busy');
    const child = await created('tree', 'Busy child', { parentId: parent.id });
    expect((await remove('tree', parent.slug)).code).toBe('VALIDATION_ERROR');
    expect(await labels('tree')).toEqual(expect.arrayContaining(['Busy', 'Busy child']));
    await update('tree', child.slug, { parentId: null });
    expect((await remove('tree', parent.slug)).data).toEqual({ deleted: true });
  });
});

describe('taxonomy_term_translations', () => {
  it('returns all locales by the id of any term, or of the group', async () => {
    const source = await created('flat', 'English', { slug: 'english' });
    const german = await created('flat', 'Deutsch', {
      slug: 'deutsch',
      locale: 'de',
      translationOf: source.id,
    });
    const expected = {
      translationGroup: source.id,
      translations: [german, source].map(({ id, slug, label, locale }) => ({ id, slug, label, locale })),
    };
    for (const { id } of [source, german])
      expect((await call('taxonomy_term_translations', { id })).data).toEqual(expected);
    await call('taxonomy_delete_term', { taxonomy: 'flat', termSlug: 'english' });
    const { translations } = (await call('taxonomy_term_translations', { id: source.id })).data;
    expect(translations).toEqual([expected.translations[0]]);
    expect((await call('taxonomy_term_translations', { id: 'nothing' })).code).toBe('NOT_FOUND');
  });
});
