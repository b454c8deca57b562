import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { contentTables } from '../../migrations/index.js';
import { createField } from '../../schema/index.js';
import { createCollections, importDeps, importerOf, post } from '../testing/import-setup.js';

let content: ServiceTenant;
const deps = importDeps();

beforeAll(async () => {
  content = await openServiceTenant('spec-of-failing', 'content', contentTables, contentEntities);
  await createCollections(content.ctx, deps);
  for (const [collection, required] of [
    ['posts', false],
    ['notes', true],
  ] as const) {
    const field = { slug: 'sku', label: 'SKU', type: 'string' as const, unique: true, required };
    await createField(content.ctx, deps.changes, { collection, field });
  }
});
afterAll(() => content.close());

const importAll = (...entries: ReturnType<typeof post>[]) => importerOf(content.ctx, deps)('one', entries);
const withSku = (id: string, parts: Partial<ReturnType<typeof post>> = {}) =>
  post(id, { data: { title: id, sku: 'taken' }, ...parts });
const valueOf = async (table: string, id: string | null | undefined) => {
  const [row] = await content.ctx.db.query(`SELECT status, title, sku FROM ${table} WHERE id = $1`, [id]);
  return row;
};

describe('a batch with an entry that cannot be saved', () => {
  it('saves the others, and leaves out a value that another entry has', async () => {
    const [first, second, third] = await importAll(withSku('a'), withSku('b'), post('c'));
    expect([first, second, third].map((result) => result?.outcome)).toEqual([
      'created',
      'created',
      'created',
    ]);
    expect(second?.warnings).toEqual([{ code: 'META_UNFIT', message: expect.stringContaining('sku') }]);
    expect(await valueOf('content_posts', first?.entryId)).toMatchObject({ sku: 'taken' });
    expect(await valueOf('content_posts', second?.entryId)).toMatchObject({ sku: null });
    expect(
      await content.ctx.db.query(`SELECT 1 FROM import_records WHERE source_id IN ('a', 'b', 'c')`),
    ).toHaveLength(3);
  });

  it('makes an entry a draft whose required value another entry has', async () => {
    const note = { collection: 'notes' };
    const [first, second] = await importAll(withSku('x', note), withSku('y', note));
    expect(first?.outcome).toBe('created');
    expect(second).toMatchObject({ outcome: 'failed', slug: 'post-y', error: { code: expect.any(String) } });
    expect(await valueOf('content_notes', second?.entryId)).toEqual({
      status: 'draft',
      title: 'y',
      sku: null,
    });
    expect(
      await content.ctx.db.query(`SELECT error ->> 'legacyId' AS id FROM import_errors WHERE entry_id = $1`, [
        second?.entryId,
      ]),
    ).toEqual([{ id: 'y' }]);
  });

  it('leaves out a value of a changed source that another entry has', async () => {
    await importAll(withSku('first', { data: { title: 'first', sku: 'second' } }), post('update'));
    const changed = post('update', { fingerprint: 'changed', data: { title: 'New', sku: 'second' } });
    const [result] = await importerOf(content.ctx, deps)('two', [changed]);
    expect(result).toMatchObject({ outcome: 'updated', warnings: [{ code: 'META_UNFIT' }] });
    expect(await valueOf('content_posts', result?.entryId)).toMatchObject({ title: 'New', sku: null });
  });

  it('reports an entry without a collection as failed, without an id', async () => {
    const [missing, saved] = await importAll(post('lost', { collection: 'nowhere' }), post('found'));
    expect(missing).toMatchObject({
      outcome: 'failed',
      entryId: null,
      error: { code: 'COLLECTION_NOT_FOUND' },
    });
    expect(saved?.outcome).toBe('created');
  });

  it('repeats it after a change of the collection that it has not seen', async () => {
    await importAll(post('before'));
    const other = importDeps();
    const field = { slug: 'subtitle', label: 'Subtitle', type: 'string' as const };
    await createField(content.ctx, other.changes, { collection: 'posts', field });
    const [result] = await importAll(post('after', { data: { title: 'After', subtitle: 'new' } }));
    expect(result?.outcome).toBe('created');
    const changed = post('before', { fingerprint: 'changed', data: { title: 'Before', subtitle: 'later' } });
    await createField(content.ctx, other.changes, {
      collection: 'posts',
      field: { slug: 'kicker', label: 'Kicker', type: 'string' },
    });
    const [updated] = await importerOf(content.ctx, deps)('two', [changed]);
    expect(updated).toMatchObject({ outcome: 'updated' });
    const [row] = await content.ctx.db.query('SELECT subtitle FROM content_posts WHERE id = $1', [
      result?.entryId,
    ]);
    expect(row).toEqual({ subtitle: 'new' });
  });
});
