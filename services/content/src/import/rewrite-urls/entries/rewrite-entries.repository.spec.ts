import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../../content.module.js';
import { DeletionSite } from '../../../deletions/testing/index.js';
import { contentTables } from '../../../migrations/index.js';
import { selectPage } from './rewrite-entries.repository.js';

let content: ServiceTenant;

beforeAll(async () => {
  content = await openServiceTenant('spec-of-rewritten-entries', 'content', contentTables, contentEntities);
});
afterAll(() => content.close());

it('selectPage reads revisions without values of a deleted field, which would be written again', async () => {
  const site = new DeletionSite(content);
  await site.createCollection('pages');
  await site.insertEntries('pages', 'page', 1);
  const references = { deleted: ['a'], kept: ['b'] };
  await site.insertRevisions('pages', 'page1', 1, { deleted: 1, title: 'T', _references: references });
  await site.query(`UPDATE content_pages SET draft_revision_id = 'page1-r00001'`);
  const definition = await site.deps.definitions.get(site.ctx, 'pages');
  const readKeys = async () => {
    const [row] = await selectPage(site.ctx.db, definition, [], { ids: ['page1'] });
    const { _references, ...texts } = row?._revisions?.[0]?.texts ?? {};
    return [Object.keys(texts), Object.keys(JSON.parse(_references ?? '{}') as object)];
  };
  expect(await readKeys()).toEqual([
    ['deleted', 'title'],
    ['deleted', 'kept'],
  ]);
  await site.query(
    `INSERT INTO deletions (kind, id, collection, field) VALUES ('field', 'pages.deleted', 'pages', 'deleted')`,
  );
  expect(await readKeys()).toEqual([['title'], ['kept']]);
});
