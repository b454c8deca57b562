import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, useSite, type Client } from '@quire/testing';

const site = useSite();
let editor: Client;

beforeAll(async () => {
  editor = await site.as('editor');
});

const call = (name: string, args: object = {}) => callTool(editor, name, args);
const list = (taxonomy: string, more: object = {}) => call('taxonomy_list_terms', { taxonomy, ...more });
const labelsOf = (items: { label: string }[]) => items.map(({ label }) => label);

/** Creates a taxonomy with terms: "b>a" is `b` below `a`. @returns their ids by label */
async function taxonomyOf(name: string, terms: string, locale = 'en'): Promise<Record<string, string>> {
  await call('taxonomy_create', { name, label: name, hierarchical: true });
  const ids: Record<string, string> = {};
  for (const text of terms.split(' ')) {
    const [label = '', parent] = text.split('>');
    const parentId = parent === undefined ? {} : { parentId: ids[parent] };
    const term = { taxonomy: name, label, locale, ...parentId };
    ids[label] = (await call('taxonomy_create_term', term)).data.term.id;
  }
  return ids;
}

describe('taxonomy_list_terms', () => {
  it('returns terms in the order of editors, and parents before their children', async () => {
    const { a, c } = await taxonomyOf('ordered', 'a b c d>a e>b f>d');
    expect(labelsOf((await list('ordered')).data.items)).toEqual(['a', 'd', 'f', 'b', 'e', 'c']);
    await editor.post('/taxonomies/ordered/reorder', { ids: [c, a] });
    const { items } = (await list('ordered')).data;
    expect(labelsOf(items)).toEqual(['c', 'b', 'e', 'a', 'd', 'f']);
    expect(items[4]).toEqual({
      id: expect.any(String),
      name: 'ordered',
      slug: 'd',
      label: 'd',
      parentId: a,
      locale: 'en',
      translationGroup: expect.any(String),
    });
  });

  it('returns each term once over all pages, and no nextCursor on the last', async () => {
    await taxonomyOf('paged', 'a b c>a d e>b');
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await list('paged', { limit: 2, cursor });
      seen.push(...labelsOf(data.items));
      cursor = data.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(['a', 'c', 'b', 'e', 'd']);
    expect((await list('paged', { limit: 5 })).data).not.toHaveProperty('nextCursor');
  });

  it('neither repeats nor hides terms when others are created between two pages', async () => {
    const { a } = await taxonomyOf('growing', 'a b c');
    const first = (await list('growing', { limit: 2 })).data;
    await call('taxonomy_create_term', { taxonomy: 'growing', label: 'below', parentId: a });
    const second = (await list('growing', { limit: 2, cursor: first.nextCursor })).data;
    expect(labelsOf(second.items)).toEqual(['c']);
  });

  it('returns the terms of one locale, or of all', async () => {
    await taxonomyOf('spoken', 'a');
    await taxonomyOf('spoken', 'x', 'de');
    expect(labelsOf((await list('spoken')).data.items)).toEqual(['a', 'x']);
    expect(labelsOf((await list('spoken', { locale: 'de' })).data.items)).toEqual(['x']);
    expect((await list('spoken', { locale: 'it' })).data).toEqual({ items: [] });
  });

  it('rejects a cursor of another taxonomy, of another locale and of no list with INVALID_CURSOR', async () => {
    await taxonomyOf('one', 'a b');
    await taxonomyOf('two', 'a b');
    const { nextCursor: cursor } = (await list('one', { limit: 1 })).data;
    expect(labelsOf((await list('one', { limit: 1, cursor })).data.items)).toEqual(['b']);
    expect((await list('two', { cursor })).code).toBe('INVALID_CURSOR');
    expect((await list('one', { cursor, locale: 'en' })).code).toBe('INVALID_CURSOR');
    for (const garbage of ['x', `${cursor}x`, 'W10', 'A'.repeat(2048)])
      expect((await list('one', { cursor: garbage })).code).toBe('INVALID_CURSOR');
  });

  it('rejects a cursor whose term was deleted with INVALID_CURSOR', async () => {
    await taxonomyOf('shrinking', 'a b');
    const { nextCursor: cursor } = (await list('shrinking', { limit: 1 })).data;
    await call('taxonomy_delete_term', { taxonomy: 'shrinking', termSlug: 'a' });
    expect((await list('shrinking', { cursor })).code).toBe('INVALID_CURSOR');
  });

  it.each([{ limit: 0 }, { limit: 101 }, { limit: '2' }, { limit: 1.5 }, { cursor: '' }])(
    'rejects %j with VALIDATION_ERROR',
    async (args) => {
      expect((await list('paged', args)).code).toBe('VALIDATION_ERROR');
    },
  );

  it('returns NOT_FOUND for an unknown taxonomy', async () => {
    expect((await list('nothing')).code).toBe('NOT_FOUND');
  });
});
