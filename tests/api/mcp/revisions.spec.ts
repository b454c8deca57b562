import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { callTool, useSite, type Client } from '@quire/testing';
import { articleFields, create, failure, read, succeed, type CreatedEntry } from './entries-support.js';

const site = useSite();
let author: Client;
let entry: CreatedEntry;

beforeAll(async () => {
  author = await site.as('author');
  await site.collection({ fields: articleFields });
});
/** A published entry with a revision for each of three bodies; the third is staged. */
beforeEach(async () => {
  entry = await create(author, { data: { body: 'one' }, status: 'published' });
  for (const body of ['two', 'three']) {
    const { _rev } = await read(author, entry.address);
    await succeed(author, 'content_update', { ...entry.address, _rev, data: { body } });
  }
});

const revisions = async (args: object = {}) =>
  (await succeed(author, 'revision_list', { ...entry.address, ...args })).data;

describe('revision_list', () => {
  it('lists the revisions of an entry with their values, newest first, and their number', async () => {
    const { items, total } = await revisions();
    expect([items.map(({ data }: { data: { body: string } }) => data.body), total]).toEqual([
      ['three', 'two', 'one'],
      3,
    ]);
    expect(items[0]).toEqual({
      id: expect.any(String),
      collection: 'posts',
      entryId: entry.address.id,
      data: { title: entry.item.data.title, body: 'three' },
      authorId: entry.item.authorId,
      createdAt: expect.any(String),
    });
  });

  it('returns at most limit of them, with the total of all', async () => {
    const { items, total } = await revisions({ limit: 1 });
    expect([items.length, total]).toEqual([1, 3]);
  });

  it('returns 20 of them without limit', async () => {
    for (let index = 0; index < 18; index += 1) {
      const { _rev } = await read(author, entry.address);
      await succeed(author, 'content_update', { ...entry.address, _rev, data: { rank: index } });
    }
    const { items, total } = await revisions();
    expect([items.length, total]).toEqual([20, 21]);
  });

  it.each([0, 51, 1.5, '5'])('rejects the limit %j with VALIDATION_ERROR', async (limit) => {
    const [code, message] = await failure(author, 'revision_list', { ...entry.address, limit });
    expect([code, message]).toEqual(['VALIDATION_ERROR', expect.stringContaining('limit')]);
  });

  it('echoes the id of a missing entry in NOT_FOUND', async () => {
    const [code, message] = await failure(author, 'revision_list', { collection: 'posts', id: 'no-id' });
    expect([code, message]).toEqual(['NOT_FOUND', expect.stringContaining('no-id')]);
  });
});

describe('revision_restore', () => {
  const restore = async (index: number, client = author) => {
    const { items } = await revisions();
    return callTool(client, 'revision_restore', { revisionId: items[index].id });
  };

  it('stages its values in a new revision in place of the draft; what is live stays', async () => {
    const before = await read(author, entry.address);
    const { data } = await restore(2);
    expect(data.item).toMatchObject({
      status: 'published',
      data: { body: 'one' },
      liveData: { body: 'one' },
      publishedAt: before.item.publishedAt,
    });
    expect((await revisions()).total).toBe(4);
    expect((await restore(2)).data.item.data.body).toBe('two');
    expect((await read(await site.as('subscriber'), entry.address)).item.data.body).toBe('one');
  });

  it('is NOT_FOUND with the id for an unknown revision', async () => {
    const [code, message] = await failure(author, 'revision_restore', { revisionId: 'no-revision' });
    expect([code, message]).toEqual(['NOT_FOUND', expect.stringContaining('no-revision')]);
  });

  it('needs the ownership of the entry, or the role of an editor, and the scope content:write', async () => {
    expect((await restore(0, await site.another('author', 'other'))).code).toBe('INSUFFICIENT_PERMISSIONS');
    expect((await restore(0, await site.as('contributor'))).code).toBe('INSUFFICIENT_PERMISSIONS');
    expect((await restore(0, await site.withScopes('editor', ['content:read']))).code).toBe(
      'INSUFFICIENT_SCOPE',
    );
    expect((await restore(0, await site.as('editor'))).isError).toBe(false);
  });
});
