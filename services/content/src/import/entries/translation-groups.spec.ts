import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { contentTables } from '../../migrations/index.js';
import { createCollections, importDeps, importerOf, post } from '../testing/import-setup.js';

let content: ServiceTenant;
const deps = importDeps();

beforeAll(async () => {
  content = await openServiceTenant('spec-of-groups', 'content', contentTables, contentEntities);
  await createCollections(content.ctx, deps);
  await content.ctx.db.query(`UPDATE fields SET translatable = false WHERE slug IN ('price', 'extra')`);
});
afterAll(() => content.close());

const rows = () =>
  content.ctx.db.query<Record<string, unknown>>(
    `SELECT r.source_id AS source, e._locale AS locale, e._translation_group AS "group", e.id, e.price, e.extra
     FROM content_posts e JOIN import_records r ON r.target_id = e.id ORDER BY e.id`,
  );
const importAll = (...entries: ReturnType<typeof post>[]) => importerOf(content.ctx, deps)('one', entries);
const anchor = { type: 'post', id: 'en' };
const german = (id: string, parts = {}) =>
  post(id, { locale: 'de', slug: `post-${id}`, translationOf: anchor, ...parts });

describe('translationOf', () => {
  it('puts translations into the group of the entry, earlier in the batch or recorded, with its shared values', async () => {
    await importAll(
      post('en', { data: { title: 'T', price: 5, extra: { a: 1 } } }),
      german('de', { data: { title: 'Ü', price: 7 } }),
    );
    await importAll(german('fr', { locale: 'fr', data: { title: 'F', price: 8, extra: { b: 2 } } }));
    const [first] = await rows();
    expect(await rows()).toMatchObject([
      { source: 'en', locale: 'en', group: first?.['id'], price: 5, extra: { a: 1 } },
      { source: 'de', locale: 'de', group: first?.['id'], price: 5, extra: { a: 1 } },
      { source: 'fr', locale: 'fr', group: first?.['id'], price: 5, extra: { a: 1 } },
    ]);
  });

  it('gives an entry its own group when the anchor is missing, or has the locale already', async () => {
    const results = await importAll(
      german('missing', { translationOf: { type: 'post', id: 'nowhere' } }),
      german('second-german'),
    );
    expect(results.map(({ outcome, warnings }) => [outcome, warnings.map(({ code }) => code)])).toEqual([
      ['created', ['TRANSLATION_SEPARATED']],
      ['created', ['TRANSLATION_SEPARATED']],
    ]);
    for (const row of (await rows()).slice(-2)) expect(row['group']).toBe(row['id']);
  });

  it('keeps the shared values of the group when the source of a translation changes', async () => {
    const request = german('de', { fingerprint: 'changed', data: { title: 'Neu', price: 9 } });
    const [result] = await importerOf(content.ctx, deps)('two', [request]);
    expect(result?.outcome).toBe('updated');
    expect((await rows()).slice(0, 3)).toMatchObject([
      { price: 5 },
      { price: 5, extra: { a: 1 } },
      { price: 5 },
    ]);
  });
});
