import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createCollection,
  createEntry,
  itemOf,
  useSite,
  type ApiResponse,
  type Client,
} from '@quire/testing';

const site = useSite();
let editor: Client;
let count = 0;
const unique = (prefix: string) => `${prefix}${(count += 1)}`;

beforeAll(async () => {
  await createCollection(await site.as('admin'), { slug: 'spelt' });
  editor = await site.as('editor');
  await editor.post('/taxonomies', { name: 'spelt', label: 'Spelt' });
});

const createdItem = ({ status, data, body }: ApiResponse): ApiResponse['data'] => {
  if (status !== 201) throw new Error(`Creating it failed: ${JSON.stringify(body)}`);
  return data.item ?? data.taxonomy ?? data.term ?? data;
};
type Create = (name: string, more: object) => Promise<ApiResponse>;
const person = { displayName: 'Ann' };

/** Resources with a locale and a name or slug that is unique in the locale. */
const creations: [string, Create][] = [
  ['an entry', (slug, more) => editor.post('/content/spelt', { data: {}, slug, ...more })],
  ['a taxonomy', (name, more) => editor.post('/taxonomies', { name, label: 'T', ...more })],
  ['a term', (slug, more) => editor.post('/taxonomies/spelt/terms', { label: 'Term', slug, ...more })],
  ['a menu', (name, more) => editor.post('/menus', { name, label: 'Menu', ...more })],
  ['a byline', (slug, more) => editor.post('/admin/bylines', { ...person, slug, ...more })],
];

describe('locale without configured locales (contract 2; decision 1)', () => {
  it.each(creations)('is the same in any spelling for %s', async (_, create) => {
    const name = unique('one');
    expect(createdItem(await create(name, { locale: 'pt-br' })).locale).toBe('pt-BR');
    for (const locale of ['pt-BR', 'PT-BR', 'pt-br'])
      expect((await create(name, { locale })).status).toBe(409);
    expect(createdItem(await create(unique('two'), { locale: 'DE' })).locale).toBe('de');
  });

  it.each(creations)('has one translation of %s in any spelling', async (kind, create) => {
    const name = unique('group');
    // All locales of a taxonomy have one name.
    const next = () => (kind === 'a taxonomy' ? name : unique('translation'));
    const { id: translationOf } = createdItem(await create(name, {}));
    createdItem(await create(next(), { locale: 'De', translationOf }));
    for (const locale of ['de', 'DE'])
      expect((await create(next(), { locale, translationOf })).status).toBe(409);
  });

  it('is found in any spelling', async () => {
    const entry = await createEntry(editor, 'spelt', {}, { slug: 'zh', locale: 'zh-hant' });
    for (const locale of ['zh-hant', 'ZH-HANT', 'zh-Hant']) {
      expect(itemOf(await editor.get(`/content/spelt/zh?locale=${locale}`)).id).toBe(entry.id);
      expect((await editor.get(`/content/spelt?locale=${locale}`)).data.items).toHaveLength(1);
    }
  });
});
