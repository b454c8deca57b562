import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { DeletionSite } from '../../deletions/testing/index.js';
import { getContent, updateContent } from '../../entries/index.js';
import { contentTables } from '../../migrations/index.js';
import { deleteField } from './fields.operations.js';

let content: ServiceTenant;
let site: DeletionSite;

beforeAll(async () => {
  content = await openServiceTenant('spec-of-field-deletion', 'content', contentTables, contentEntities);
  site = new DeletionSite(content);
});
afterAll(() => content.close());

describe('a deleted field', () => {
  const entry = { collection: 'pages', id: 'page1' };
  const lastRevision = 'page1-r02500';
  const deleteSize = () => deleteField(site.ctx, site.changes, { collection: 'pages', field: 'size' });
  const countSizes = () => site.count(`revisions WHERE data -> 'size' IS NOT NULL`);

  beforeAll(async () => {
    await site.createCollection('pages');
    await site.addField('pages', 'size');
    await site.insertEntries('pages', 'page', 2);
    const data = { size: 'XL', title: 'T', _references: { size: ['a'], other: ['b'] } };
    await site.insertRevisions('pages', 'page1', 2_500, data);
    await site.query(`UPDATE content_pages SET draft_revision_id = $1 WHERE id = 'page1'`, [lastRevision]);
    await deleteSize();
    site.deps.definitions.invalidate();
  });

  it('leaves values to later steps, which content does not show', async () => {
    expect(await countSizes()).toBe(1_500);
    expect((await getContent(site.ctx, site.deps, entry)).item.data).toEqual({ title: 'T' });
  });

  it('is copied to no new draft', async () => {
    const { ctx, deps } = site;
    await updateContent(ctx, deps, { ...entry, data: { title: 'New' } });
    const newest = await site.query('SELECT data FROM revisions ORDER BY created_at DESC, id LIMIT 1');
    expect(newest).toEqual([{ data: { title: 'New' } }]);
  });

  it('is not followed by another of its slug while revisions have its values', async () => {
    const { ctx } = site;
    // A request that began before the deletion knows nothing of it.
    const db = { query: () => Promise.resolve([]), transaction: ctx.db.transaction.bind(ctx.db) };
    const created = site.addField('pages', 'size', { ...ctx, db } as unknown as typeof ctx);
    await expect(created).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('has lost its values when another gets its slug', async () => {
    await site.addField('pages', 'size');
    expect(await countSizes()).toBe(0);
    expect(await site.pending()).toEqual([]);
    expect((await getContent(site.ctx, site.deps, entry)).item.data).toEqual({ title: 'New' });
    const [{ data = null } = {}] = await site.query<{ data?: object }>(
      'SELECT data FROM revisions WHERE id = $1',
      [lastRevision],
    );
    expect(data).toEqual({ title: 'T', _references: { other: ['b'] } });
  });

  it('leaves its values to the deletion of its collection', async () => {
    await site.insertRevisions('pages', 'page2', 2_000, { size: 'S' });
    await deleteSize();
    await site.deleteCollection('pages');
    expect((await site.pending()).map(({ kind }) => kind)).toEqual(['collection']);
    expect(await site.finish()).toBe(true);
    expect(await site.count('revisions')).toBe(0);
  });
});
