import { beforeAll, describe, expect, it } from '@jest/globals';
import { useSite, type Client } from '@quire/testing';
import { exportOf, headOf, type SourceItem } from './export-builder.js';
import { createPosts, dataOf, entriesIn, execute, type Entry } from './support.js';

const site = useSite();
let admin: Client;
let sources = 0;
beforeAll(async () => {
  admin = await site.as('admin');
  await createPosts(site);
});

/** Imports items from a source of their own. @returns the summary and the entries by slug */
async function importItems(items: SourceItem[]) {
  sources += 1;
  const file = exportOf(items, headOf(`https://source${sources}.example`));
  const config = { postTypeMappings: { post: { collection: 'posts' } } };
  const summary = dataOf(await execute(admin, file, config));
  const entries = new Map((await entriesIn(admin, 'posts')).map((entry) => [entry.slug, entry]));
  return { summary, entry: (slug: string) => entries.get(slug) as Entry };
}

describe('languages of imported entries (contract 2.8)', () => {
  it('entries of one group of the meta values are translations of each other', async () => {
    const meta = (language: string, group: string) => ({ _icl_lang_code: language, trid: group });
    const { entry } = await importItems([
      { id: 1, slug: 'house', meta: meta('en', '5') },
      { id: 2, slug: 'haus', meta: meta('de', '5') },
      { id: 3, slug: 'tree', meta: meta('en', '6') },
    ]);
    expect(['house', 'haus', 'tree'].map((slug) => entry(slug).locale)).toEqual(['en', 'de', 'en']);
    expect(entry('haus').translationGroup).toBe(entry('house').translationGroup);
    expect(entry('tree').translationGroup).not.toBe(entry('house').translationGroup);
    const { data } = await admin.get(`/content/posts/${entry('house').id}/translations`);
    expect(data.translations.map(({ slug }: { slug: string }) => slug).sort()).toEqual(['haus', 'house']);
  });

  it('entries of one group of the taxonomies are translations of each other, and these are no taxonomies', async () => {
    const terms = (language: string, group: string): [string, string, string][] => [
      ['language', language, language],
      ['post_translations', group, group],
      ['category', 'news', 'News'],
    ];
    const { entry, summary } = await importItems([
      { id: 1, slug: 'maison', terms: terms('fr', 'pll_1') },
      { id: 2, slug: 'casa', terms: terms('es', 'pll_1') },
    ]);
    expect([entry('maison').locale, entry('casa').locale]).toEqual(['fr', 'es']);
    expect(entry('casa').translationGroup).toBe(entry('maison').translationGroup);
    expect(Object.keys(summary.taxonomies.termsCreated)).toEqual(['category']);
    const { taxonomies } = (await admin.get('/taxonomies')).data;
    expect(taxonomies.map(({ name }: { name: string }) => name)).toEqual(['category']);
  });

  it('an entry of an unknown language has the default one, with a warning', async () => {
    const { entry, summary } = await importItems([
      { id: 1, slug: 'odd', meta: { _icl_lang_code: 'no language', trid: '9' } },
    ]);
    expect(entry('odd').locale).toBe('en');
    expect(summary.warnings).toMatchObject([{ code: 'LOCALE_UNKNOWN', legacyId: '1' }]);
  });

  it('a repeated import adds no translation', async () => {
    const meta = (language: string) => ({ _icl_lang_code: language, trid: '1' });
    const items = [
      { id: 1, slug: 'same', meta: meta('en') },
      { id: 2, slug: 'same', meta: meta('de') },
    ];
    const { summary } = await importItems(items);
    expect([summary.imported, summary.warnings]).toEqual([2, []]);
    sources -= 1;
    const repeated = await importItems(items);
    expect([repeated.summary.imported, repeated.summary.skipped]).toEqual([0, 2]);
    const translations = (await entriesIn(admin, 'posts')).filter(({ slug }) => slug === 'same');
    expect(translations.map(({ locale }) => locale).sort()).toEqual(['de', 'en']);
    expect(new Set(translations.map(({ translationGroup }) => translationGroup)).size).toBe(1);
  });
});
