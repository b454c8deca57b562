import { beforeAll, describe, expect, it } from '@jest/globals';
import { useSite, type Client } from '@quire/testing';
import { exportOf, headOf, posts } from './export-builder.js';
import {
  analyze,
  collectionSlugs,
  dataOf,
  exampleFile,
  exampleNames,
  groundTruth,
  importsPath,
  type AnalysedType,
  type ExampleName,
} from './support.js';

const site = useSite();
let admin: Client;
beforeAll(async () => {
  admin = await site.as('admin');
});

const analysisOf = async (name: ExampleName) => dataOf(await analyze(admin, exampleFile(name)));
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0);
const own = new Set(['category', 'post_tag']);

describe.each(exampleNames)('POST /import/legacy/analyze of %s', (name) => {
  const truth = groundTruth[name];

  it('returns the counts of the file, and writes nothing', async () => {
    const analysis = await analysisOf(name);
    expect(analysis.site).toEqual({ title: truth.siteTitle, url: truth.baseBlogUrl });
    expect(analysis.wxrVersion).toBe(truth.wxrVersion);
    const internal = ['attachment', 'nav_menu_item', 'wp_block'];
    const skipped = Object.fromEntries(
      analysis.skippedTypes.map((type: { name: string; count: number }) => [type.name, type.count]),
    );
    const content = Object.fromEntries(
      analysis.postTypes.map((type: { name: string; count: number }) => [type.name, type.count]),
    );
    const { '(none)': untyped = 0, ...typed } = truth.byType;
    const expected = Object.fromEntries(Object.entries(typed).filter(([type]) => !internal.includes(type)));
    expected['post'] = (expected['post'] ?? 0) + untyped;
    if (expected['post'] === 0) delete expected['post'];
    expect({ ...content, ...skipped }).toEqual(expected);
    expect(Object.keys(content).sort()).toEqual(Object.keys(truth.expected.entriesByType).sort());
    const counts = Object.values(content) as number[];
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
    expect(await collectionSlugs(admin)).toEqual([]);
    expect((await admin.get(importsPath)).data.items).toEqual([]);
    expect((await admin.get('/taxonomies')).data.taxonomies).toEqual([]);
  });

  it('returns attachments, terms, menus, reusable blocks, authors and comments', async () => {
    const analysis = await analysisOf(name);
    expect(analysis.attachments.count).toBe(truth.attachments);
    expect(analysis.attachments.items).toHaveLength(truth.attachments);
    expect(sum(analysis.attachments.byType)).toBe(truth.attachments);
    expect([analysis.categories, analysis.tags]).toEqual([
      truth.expected.terms['category'] ?? 0,
      truth.expected.terms['post_tag'] ?? 0,
    ]);
    const taxonomies = analysis.customTaxonomies as {
      slug: string;
      termCount: number;
      sampleTerms: string[];
    }[];
    expect(Object.fromEntries(taxonomies.map(({ slug, termCount }) => [slug, termCount]))).toEqual(
      Object.fromEntries(Object.entries(truth.expected.terms).filter(([taxonomy]) => !own.has(taxonomy))),
    );
    for (const { termCount, sampleTerms } of taxonomies)
      expect(sampleTerms).toHaveLength(Math.min(3, termCount));
    const menus = analysis.navMenus as { name: string; itemCount: number }[];
    expect(
      Object.fromEntries(
        menus.filter(({ itemCount }) => itemCount > 0).map((menu) => [menu.name, menu.itemCount]),
      ),
    ).toEqual(truth.menus);
    expect(analysis.reusableBlocks).toHaveLength(truth.expected.sections);
    const authors = analysis.authors as { login: string; postCount: number }[];
    expect(authors.filter(({ postCount }) => postCount > 0)).toHaveLength(truth.expected.bylines);
    expect(analysis.comments).toEqual({
      total: truth.comments,
      importable: truth.expected.comments,
    });
    expect(analysis.warnings).toEqual([]);
  });
});

describe('POST /import/legacy/analyze of edge-cases.xml', () => {
  it('describes each attachment as far as the file does', async () => {
    const { attachments } = await analysisOf('edge-cases.xml');
    const uploads = 'https://old.example/wp-content/uploads/2024/05';
    expect(attachments).toEqual({
      count: 5,
      items: [
        {
          id: 1901,
          title: 'one',
          url: `${uploads}/one.jpg`,
          filename: 'one.jpg',
          mimeType: 'image/jpeg',
          alt: 'Stored alt',
          width: 1200,
          height: 800,
        },
        { id: 1902, title: 'two', url: `${uploads}/two.png`, filename: 'two.png', mimeType: 'image/png' },
        { id: 1904, title: 'no url' },
        {
          id: 1905,
          title: 'inner',
          url: 'http://169.254.169.254/latest/meta-data',
          filename: 'meta-data',
        },
        {
          id: 1906,
          title: 'umlaut',
          url: `${uploads}/Größe%20(1).JPG`,
          filename: 'Größe (1).JPG',
          mimeType: 'image/jpeg',
        },
      ],
      byType: { image: 3, video: 0, audio: 0, document: 0, other: 2 },
    });
  });

  it('suggests collections and fields', async () => {
    const { postTypes } = await analysisOf('edge-cases.xml');
    expect(
      postTypes.map(({ name, suggestedCollection, status }: Record<string, string>) => [
        name,
        suggestedCollection,
        status,
      ]),
    ).toEqual([
      ['post', 'posts', 'new_collection'],
      ['page', 'pages', 'new_collection'],
      ['acf-field-group', 'acf_field_group', 'new_collection'],
      ['users', 'legacy_users', 'new_collection'],
      ['book', 'book', 'new_collection'],
    ]);
    const [post, page] = postTypes as AnalysedType[];
    expect(post?.requiredFields.slice(0, 4)).toEqual([
      { slug: 'title', label: 'Title', type: 'string', required: true, searchable: true },
      { slug: 'content', label: 'Content', type: 'portableText', required: false, searchable: true },
      { slug: 'excerpt', label: 'Excerpt', type: 'text', required: false },
      { slug: 'featured_image', label: 'Featured image', type: 'image', required: false },
    ]);
    expect(page?.requiredFields.map(({ slug }) => slug)).toEqual(['title', 'content', 'excerpt', 'parent']);
    expect(post?.requiredFields.slice(4).map(({ slug, type }) => `${slug} ${type}`)).toEqual([
      'subtitle string',
      'repeat json',
      'my_hyphen_key number',
      'price number',
      'price_text string',
      'flag boolean',
      'packed json',
      'as_json json',
      'legacy_id number',
      'legacy_status string',
      'legacy_terms string',
      'berschrift string',
      'lives string',
      'seo_title string',
      'seo_description string',
      `${'k'.repeat(63)} string`,
      'starts_at datetime',
      'ends_at datetime',
    ]);
  });

  it('lists authors with the number of their posts, also those that the file does not declare', async () => {
    const { authors } = await analysisOf('edge-cases.xml');
    expect(authors).toEqual([
      { id: 1, login: 'ada', email: 'ada@example.org', displayName: 'Ada L.', postCount: 47 },
      { id: 2, login: 'grace h', email: 'grace@example.org', displayName: 'Grace H.', postCount: 1 },
      { id: 3, login: 'nobody', displayName: 'nobody', postCount: 1 },
      { login: 'ghost', displayName: 'ghost', postCount: 1 },
    ]);
  });

  it('describes menus, custom taxonomies and reusable blocks', async () => {
    const analysis = await analysisOf('edge-cases.xml');
    expect(analysis.navMenus).toEqual([{ name: 'main', label: 'Main menu', itemCount: 6 }]);
    expect(analysis.customTaxonomies).toEqual([
      { slug: 'genre', termCount: 2, sampleTerms: ['Poem', 'Text'] },
      { slug: 'shop-brand', termCount: 1, sampleTerms: ['Acme'] },
    ]);
    expect(analysis.reusableBlocks).toEqual([{ id: 1903, title: 'Call to action', slug: 'cta-1' }]);
  });
});

describe('custom fields of an analysis', () => {
  const values: Record<string, string[]> = {
    plain_number: ['1', '2.5', ''],
    mixed: ['0', '1', 'x'],
    flags: ['0', '1'],
    sku_id: ['17', '18'],
    made_date: ['2024-01-02', '2024-01-03 04:05:06'],
    bad_date: ['2024-01-02', 'soon'],
    view_count: ['3', 'many'],
    late_text: ['1', '2', '3', '4', '5', 'six'],
    price: ['19,90 €', '5'],
    _hidden: ['a'],
    _edit_last: ['1'],
  };

  it('have the type that every value fits, three samples, and no keys of the source itself', async () => {
    const items = posts(1, 6).map((item, index) => ({
      ...item,
      meta: Object.fromEntries(
        Object.entries(values).flatMap(([key, list]) =>
          list[index] === undefined ? [] : [[key, list[index]]],
        ),
      ),
    }));
    const { customFields } = dataOf(await analyze(admin, exportOf(items)));
    const facts = customFields.map((field: Record<string, unknown>) => [
      field['key'],
      field['suggestedType'],
      field['samples'],
      field['isInternal'],
    ]);
    expect(facts.sort()).toEqual(
      [
        ['plain_number', 'number', ['1', '2.5'], false],
        ['mixed', 'string', ['0', '1', 'x'], false],
        ['flags', 'boolean', ['0', '1'], false],
        ['sku_id', 'string', ['17', '18'], false],
        ['made_date', 'date', ['2024-01-02', '2024-01-03 04:05:06'], false],
        ['bad_date', 'string', ['2024-01-02', 'soon'], false],
        ['view_count', 'string', ['3', 'many'], false],
        ['late_text', 'string', ['1', '2', '3'], false],
        ['price', 'string', ['19,90 €', '5'], false],
        ['_hidden', 'string', ['a'], true],
      ].sort(),
    );
  });

  it('have samples of at most 100 characters', async () => {
    const file = exportOf([{ id: 1, meta: { long: 'x'.repeat(500) } }], headOf());
    const { customFields } = dataOf(await analyze(admin, file));
    expect(customFields[0].samples).toEqual(['x'.repeat(100)]);
  });
});
