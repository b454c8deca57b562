import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { Locales } from '../../locales/index.js';
import { contentTables } from '../../migrations/index.js';
import { createTaxonomy } from '../../taxonomies/definitions/index.js';
import { createTestCollection } from '../testing/test-schema.js';
import { importTerms } from './index.js';

const locales = new Locales({ defaultLocale: 'en' });
let content: ServiceTenant;

beforeAll(async () => {
  content = await openServiceTenant('spec-of-import-terms', 'content', contentTables, contentEntities);
  await createTestCollection(content.ctx, 'posts');
  await createTestCollection(content.ctx, 'pages');
});
afterAll(() => content.close());
beforeEach(async () => {
  await content.ctx.db.query('DELETE FROM taxonomies');
  await content.ctx.db.query('DELETE FROM import_records');
});

interface Given {
  importId?: string;
  locale?: string;
  step?: 'create' | 'link';
  taxonomies?: { name: string; hierarchical?: boolean; collections?: string[] }[];
}
/** Terms as "slug" or "slug<parent" of the taxonomy `genre`, or of another one as "taxonomy:slug". */
function run(terms: string[], { importId = 'i1', locale = 'en', step = 'create', taxonomies }: Given = {}) {
  const given = taxonomies ?? [{ name: 'genre', hierarchical: true }];
  return importTerms(content.ctx, locales, {
    importId,
    site: 'a.example',
    locale,
    step,
    taxonomies: given.map(({ name, hierarchical = false, collections = ['posts'] }) => ({
      name,
      label: name.toUpperCase(),
      hierarchical,
      collections,
    })),
    terms: terms.map((text) => {
      const [place = '', parentSlug = null] = text.split('<');
      const [slug = '', taxonomy = 'genre'] = place.split(':').reverse();
      return { taxonomy, slug, label: slug.toUpperCase(), description: null, parentSlug };
    }),
  });
}
/** Creates and links the terms of one import. */
async function runBoth(terms: string[], given: Given = {}) {
  await run(terms, given);
  return run(terms, { ...given, step: 'link' });
}
/** The terms as "slug<parent" in the order of their siblings. */
async function tree(locale = 'en') {
  const rows = await content.ctx.db.query<{ term: string }>(
    `SELECT r.slug || coalesce('<' || p.slug, '') AS term FROM terms r JOIN term_groups g ON g.id = r.group_id
     LEFT JOIN terms p ON p.group_id = g.parent_id AND p.locale = r.locale
     WHERE r.locale = $1 ORDER BY p.slug NULLS FIRST, g.sort_order`,
    [locale],
  );
  return rows.map(({ term }) => term);
}
const taxonomies = () =>
  content.ctx.db.query(
    `SELECT t.name, t.hierarchical, t.collections, array_agg(d.locale || ' ' || d.label ORDER BY d.locale) AS labels
     FROM taxonomies t JOIN taxonomy_definitions d ON d.taxonomy_id = t.id GROUP BY t.id ORDER BY t.name`,
  );
const records = () =>
  content.ctx.db.query(
    `SELECT r.source_type || ' ' || r.source_id AS source, r.kind, r.import_id AS "importId",
       (SELECT slug FROM terms WHERE id = r.target_id) AS slug FROM import_records r ORDER BY 1`,
  );

describe('importTerms, taxonomies (contract 2.5)', () => {
  it('creates a taxonomy with a legal name, and leaves out collections that do not exist', async () => {
    const given = [{ name: 'Product-Type', hierarchical: true, collections: ['posts', 'gone', 'posts'] }];
    const { created } = await run(['Product-Type:a'], { taxonomies: given });
    expect(created).toEqual({ product_type: 1 });
    expect(await taxonomies()).toEqual([
      { name: 'product_type', hierarchical: true, collections: ['posts'], labels: ['en PRODUCT-TYPE'] },
    ]);
  });

  it('gives a new definition a singular label', async () => {
    await run([], { taxonomies: [{ name: 'moods' }, { name: 'genre' }] });
    const labels = await content.ctx.db.query(
      'SELECT label, label_singular AS singular FROM taxonomy_definitions ORDER BY label',
    );
    expect(labels).toEqual([
      { label: 'GENRE', singular: 'GENRE' },
      { label: 'MOODS', singular: 'MOOD' },
    ]);
  });

  it('adds collections and a locale to an existing one, and keeps its label', async () => {
    const input = { name: 'genre', label: 'Ours', hierarchical: true, collections: ['posts'] };
    await createTaxonomy(content.ctx, locales, input);
    const given = [{ name: 'genre', collections: ['pages'] }];
    await run([], { taxonomies: given, locale: 'de' });
    await run([], { taxonomies: given });
    expect(await taxonomies()).toEqual([
      { name: 'genre', hierarchical: true, collections: ['posts', 'pages'], labels: ['de GENRE', 'en Ours'] },
    ]);
  });

  it('makes a flat one hierarchical when a later part of the source has parents', async () => {
    await run(['a', 'b'], { taxonomies: [{ name: 'genre' }] });
    await runBoth(['a', 'b<a']);
    expect(await tree()).toEqual(['a', 'b<a']);
  });

  it('rejects a term of a taxonomy that does not exist', async () => {
    await expect(run(['a'], { taxonomies: [] })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('importTerms, terms (contract 2.5)', () => {
  it('creates terms in order, each once, and records them', async () => {
    const result = await run(['b', 'a', 'b']);
    expect(result).toEqual({ created: { genre: 2 }, reused: {}, warnings: [] });
    expect(await tree()).toEqual(['b', 'a']);
    expect(await records()).toEqual([
      { source: 'term:genre en/a', kind: 'term', importId: 'i1', slug: 'a' },
      { source: 'term:genre en/b', kind: 'term', importId: 'i1', slug: 'b' },
    ]);
  });

  it('reuses a term of the locale with the slug, and appends new ones', async () => {
    await run(['b', 'a']);
    await content.ctx.db.query("UPDATE terms SET label = 'Ours'");
    expect(await run(['c', 'a'], { importId: 'i2' })).toMatchObject({
      created: { genre: 1 },
      reused: { genre: 1 },
    });
    expect(await tree()).toEqual(['b', 'a', 'c']);
    const labels = await content.ctx.db.query('SELECT label FROM terms ORDER BY slug');
    expect(labels).toEqual([{ label: 'Ours' }, { label: 'Ours' }, { label: 'C' }]);
    expect(await records()).toMatchObject([{ importId: 'i1' }, { importId: 'i1' }, { importId: 'i2' }]);
  });

  it('counts a repeated call of one import as the first one', async () => {
    const first = await run(['a', 'b']);
    expect(await run(['a', 'b'])).toEqual(first);
  });

  it('creates terms of one slug in two locales and two taxonomies separately', async () => {
    const given = [{ name: 'genre' }, { name: 'mood' }];
    await run(['genre:a', 'mood:a'], { taxonomies: given });
    expect(await run(['genre:a'], { taxonomies: given, locale: 'de' })).toMatchObject({
      created: { genre: 1 },
    });
    expect(await tree()).toEqual(['a', 'a']);
    expect(await tree('de')).toEqual(['a']);
  });

  it('creates many terms in concurrent calls without doubles', async () => {
    const terms = Array.from({ length: 200 }, (_, index) => `t${index}`);
    await Promise.all([run(terms), run([...terms].reverse())]);
    expect(await tree()).toHaveLength(200);
  });
});

describe('importTerms, parents (contract 2.5)', () => {
  it('links children to parents that come after them, in the order of the source', async () => {
    expect((await runBoth(['c<b', 'd<b', 'b<a', 'a', 'e<a'])).warnings).toEqual([]);
    expect(await tree()).toEqual(['a', 'b<a', 'e<a', 'c<b', 'd<b']);
  });

  it('links to a term that an earlier call or a person has created', async () => {
    await run(['a'], { importId: 'i0' });
    await runBoth(['b<a']);
    expect(await tree()).toEqual(['a', 'b<a']);
  });

  it('leaves a root with a warning for an unknown parent, for itself, and for a cycle', async () => {
    const { warnings } = await runBoth(['a<gone', 'b<b', 'x<y', 'y<z', 'z<x']);
    expect(warnings.map(({ slug, code }) => `${slug} ${code}`)).toEqual([
      'a PARENT_MISSING',
      'b PARENT_MISSING',
      'z PARENT_MISSING',
    ]);
    expect(await tree()).toEqual(['a', 'b', 'z', 'x<y', 'y<z']);
    expect((await run(['z<x'], { step: 'link' })).warnings).toHaveLength(1);
  });

  it('warns only in the import that creates the term', async () => {
    const terms = ['lost<gone', 'x<y', 'y<x'];
    expect((await runBoth(terms, { importId: 'i0' })).warnings).toHaveLength(2);
    expect((await runBoth([...terms, 'new<gone'])).warnings).toMatchObject([{ slug: 'new' }]);
    expect(await tree()).toEqual(['lost', 'y', 'new', 'x<y']);
  });

  it('leaves terms of a flat taxonomy as roots with a warning', async () => {
    const { warnings } = await runBoth(['a', 'b<a'], { taxonomies: [{ name: 'genre' }] });
    expect(warnings).toMatchObject([{ taxonomy: 'genre', slug: 'b', code: 'PARENT_MISSING' }]);
    expect(await tree()).toEqual(['a', 'b']);
  });

  it('keeps the parent of a term that was there before, and gives one to a former root', async () => {
    await runBoth(['p', 'q', 'moved<p', 'root'], { importId: 'i0' });
    await runBoth(['moved<q', 'root<q', 'q'], { importId: 'i1' });
    expect(await tree()).toEqual(['p', 'q', 'moved<p', 'root<q']);
  });

  it('moves a term of the same import when the source has changed', async () => {
    await runBoth(['p', 'q', 'moved<p']);
    await runBoth(['moved<q']);
    expect(await tree()).toEqual(['p', 'q', 'moved<q']);
  });

  it('does not link deeper than the API does', async () => {
    const chain = Array.from({ length: 102 }, (_, index) => (index === 0 ? 't0' : `t${index}<t${index - 1}`));
    const { warnings } = await runBoth(chain);
    expect(warnings.map(({ slug }) => slug)).toEqual(['t101']);
  });
});
