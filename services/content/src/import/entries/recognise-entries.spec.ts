import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { createContent, deleteContent, getContent, updateContent } from '../../entries/index.js';
import { contentTables } from '../../migrations/index.js';
import { advanceTargetVersions } from '../records/index.js';
import { block, createCollections, importDeps, importerOf, post } from '../testing/import-setup.js';

let content: ServiceTenant;
const deps = importDeps();

beforeAll(async () => {
  content = await openServiceTenant('spec-of-recognise', 'content', contentTables, contentEntities);
  await createCollections(content.ctx, deps);
});
afterAll(() => content.close());

type Entry = ReturnType<typeof post>;
const importOne = async (importId: string, entry: Entry, options = {}) => {
  const [result] = await importerOf(content.ctx, deps)(importId, [entry], options);
  if (!result) throw new Error('no result');
  return { ...result, id: result.entryId ?? '' };
};
const changed = (id: string, parts: Partial<Entry> = {}) =>
  post(id, { fingerprint: 'changed', data: { title: 'New', content: [block('New')] }, ...parts });
const read = (id: string, collection = 'posts') => getContent(content.ctx, deps.entries, { collection, id });
const edit = (id: string, data: Record<string, unknown>) =>
  updateContent(content.ctx, deps.entries, { collection: 'posts', id, data });
const count = async () => {
  const [row] = await content.ctx.db.query<{ count: number }>('SELECT count(*) AS count FROM content_posts');
  return row?.count;
};

describe('a batch that the same import repeats', () => {
  it('has the results of the first time, and writes nothing', async () => {
    await importOne('one', post('taken', { slug: 'repeated' }));
    const entries = [
      post('r1', { slug: 'repeated', taxonomies: { nothing: ['x'] } }),
      post('r2', { failure: { code: 'UNREADABLE', message: 'broken' } }),
      post('r3', { status: 'trashed' }),
    ];
    const first = await importerOf(content.ctx, deps)('one', entries);
    const before = await count();
    expect(await importerOf(content.ctx, deps)('one', entries)).toEqual(first);
    expect(await count()).toBe(before);
    expect(first.map(({ outcome }) => outcome)).toEqual(['created', 'failed', 'created']);
  });

  it('that still runs is waited for', async () => {
    const entries = [post('parallel')];
    const results = await Promise.all([1, 2].map(() => importerOf(content.ctx, deps)('one', entries)));
    expect(results[0]).toEqual(results[1]);
  });

  it('may name an entry twice', async () => {
    const [first, second] = await importerOf(content.ctx, deps)('one', [post('twice'), post('twice')]);
    expect(first).toEqual(second);
  });
});

describe('a later import', () => {
  it('leaves an entry with an equal source unchanged, also an edited one', async () => {
    const { id } = await importOne('one', post('equal'));
    await edit(id, { title: 'Edited' });
    expect(await importOne('two', post('equal'))).toMatchObject({ outcome: 'unchanged', entryId: id });
    expect((await read(id)).item.data['title']).toBe('Edited');
  });

  it('updates an entry whose source has changed: live, with a revision, under its id and slug', async () => {
    await importOne('one', post('other', { slug: 'updated' }));
    const { id, slug } = await importOne(
      'one',
      post('updated', { slug: 'updated', data: { title: 'Old', price: 1 } }),
    );
    const result = await importOne(
      'two',
      changed('updated', { slug: 'updated', updatedAt: '2022-01-01T00:00:00.000Z' }),
    );
    expect(result).toMatchObject({ outcome: 'updated', entryId: id, slug: 'updated-2', warnings: [] });
    const { item } = await read(id);
    expect(item).toMatchObject({
      slug,
      status: 'published',
      data: { title: 'New', content: [block('New')] },
      draftRevisionId: null,
      updatedAt: '2022-01-01T00:00:00.000Z',
      publishedAt: '2020-01-02T03:04:05.000Z',
    });
    expect(item.data).not.toHaveProperty('price');
    const revisions = await content.ctx.db.query('SELECT id FROM revisions WHERE entry_id = $1 ORDER BY id', [
      id,
    ]);
    expect(revisions).toHaveLength(2);
    expect(revisions.at(-1)).toEqual({ id: item.liveRevisionId });
    expect(await importOne('two', changed('updated', { slug: 'updated' }))).toMatchObject({
      outcome: 'updated',
    });
    expect((await read(id)).item.version).toBe(item.version);
    expect(
      await importOne('three', changed('updated', { fingerprint: 'third', slug: 'moved' })),
    ).toMatchObject({
      outcome: 'updated',
      slug: 'moved',
    });
    expect((await read(id)).item.slug).toBe('moved');
  });

  it('updates an entry of a collection without drafts in place', async () => {
    const { id } = await importOne('one', post('note', { collection: 'notes' }));
    expect(await importOne('two', changed('note', { collection: 'notes' }))).toMatchObject({
      outcome: 'updated',
    });
    expect((await read(id, 'notes')).item).toMatchObject({ status: 'published', data: { title: 'New' } });
  });

  it('follows the status of the source', async () => {
    const { id } = await importOne('one', post('status'));
    const steps = [
      { status: 'draft' },
      { status: 'scheduled', scheduledAt: '2100-01-01T00:00:00.000Z' },
      { status: 'published' },
      { status: 'trashed' },
      { status: 'published' },
    ] as const;
    for (const [index, step] of steps.entries()) {
      const entry = changed('status', { ...step, fingerprint: `step ${index}` });
      expect(await importOne(`import ${index}`, entry)).toMatchObject({ outcome: 'updated' });
      if (step.status === 'trashed') await expect(read(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      else expect((await read(id)).item.status).toBe(step.status);
    }
    const schedules = await content.databases
      .shared()
      .query('SELECT 1 FROM schedules WHERE entry_id = $1', [id]);
    expect(schedules).toEqual([]);
  });

  it('leaves an entry that a user has edited, or opened for editing, as it is', async () => {
    const edited = await importOne('one', post('edited'));
    await edit(edited.id, { title: 'Edited' });
    const leased = await importOne('one', post('leased'));
    await content.ctx.db.query(
      `INSERT INTO entry_locks (entry_id, user_id, acquired_at, expires_at) VALUES ($1, 'u', now(), now() + interval '1 minute')`,
      [leased.id],
    );
    for (const { id, slug } of [edited, leased]) {
      const source = String(slug).replace('post-', '');
      const { item } = await read(id);
      expect(await importOne('two', changed(source))).toMatchObject({ outcome: 'edited', entryId: id });
      expect((await read(id)).item).toEqual(item);
    }
  });

  it('leaves an entry that a user has trashed in the trash', async () => {
    const { id } = await importOne('one', post('in-trash'));
    await deleteContent(content.ctx, deps.entries, { collection: 'posts', id });
    expect(await importOne('two', changed('in-trash'))).toMatchObject({ outcome: 'edited', entryId: id });
    await expect(read(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('creates an entry again that was deleted for good', async () => {
    const { id } = await importOne('one', post('deleted'));
    await content.ctx.db.query('DELETE FROM content_posts WHERE id = $1', [id]);
    const again = await importOne('two', post('deleted'));
    expect(again.outcome).toBe('created');
    expect(again.id).not.toBe(id);
    expect(await importOne('three', post('deleted'))).toMatchObject({
      outcome: 'unchanged',
      entryId: again.id,
    });
  });

  it('completes the draft of a failed import, also from an equal source', async () => {
    const failure = { code: 'UNREADABLE', message: 'broken' };
    const { id } = await importOne('one', post('failed', { failure }));
    expect(await importOne('two', post('failed', { failure }))).toMatchObject({
      outcome: 'failed',
      entryId: id,
    });
    expect(await importOne('three', post('failed'))).toMatchObject({ outcome: 'updated', entryId: id });
    const { item } = await read(id);
    expect(item.status).toBe('published');
    expect(item.data).not.toHaveProperty('_importError');
  });

  it('leaves a sound entry as it is when its changed source fails', async () => {
    const { id } = await importOne('one', post('sound'));
    const { item } = await read(id);
    const failure = { code: 'UNREADABLE', message: 'broken' };
    expect(await importOne('two', changed('sound', { failure }))).toMatchObject({
      outcome: 'failed',
      entryId: id,
    });
    expect((await read(id)).item).toEqual(item);
  });

  it('updates an entry after a write of Quire itself', async () => {
    const { id } = await importOne('one', post('own-write'));
    const { item } = await edit(id, { price: 3 });
    await advanceTargetVersions(content.ctx.db, [{ entryId: id, fromVersion: 1, toVersion: item.version }]);
    expect(await importOne('two', changed('own-write'))).toMatchObject({ outcome: 'updated' });
  });
});

describe('skipExisting', () => {
  it('leaves out an entry whose slug an entry of the site has, unless an import created that one', async () => {
    const { item } = await createContent(content.ctx, deps.entries, {
      collection: 'posts',
      data: { title: 'Own' },
      slug: 'own',
    });
    const options = { skipExisting: true };
    expect(await importOne('one', post('own'), options)).toMatchObject({ outcome: 'created' });
    expect(await importOne('one', post('skip', { slug: 'own' }), options)).toMatchObject({
      outcome: 'skipped',
      entryId: item.id,
      slug: 'own',
    });
    expect(await importOne('one', post('not-skipped', { slug: 'post-own' }), options)).toMatchObject({
      outcome: 'created',
      slug: 'post-own-2',
    });
    expect(await importOne('one', post('skip', { slug: 'own' }))).toMatchObject({
      outcome: 'created',
      slug: 'own-2',
    });
  });
});
