import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { callTool, useSite, type Client } from '@quire/testing';
import { articleFields, create, future, read, succeed, type CreatedEntry } from './entries-support.js';

const site = useSite();
let ann: Client;
let ben: Client;
let entry: CreatedEntry;
let revisionId: string;

/** The tools that respect the lease of another user, with their arguments. */
const tools: [string, (of: { _rev: string }) => object][] = [
  ['content_update', ({ _rev }) => ({ ...entry.address, _rev, data: { body: 'written' } })],
  ['content_delete', () => entry.address],
  ['content_publish', ({ _rev }) => ({ ...entry.address, _rev })],
  ['content_unpublish', ({ _rev }) => ({ ...entry.address, _rev })],
  ['content_schedule', ({ _rev }) => ({ ...entry.address, _rev, scheduledAt: future })],
  ['content_unschedule', () => entry.address],
  ['content_discard_draft', ({ _rev }) => ({ ...entry.address, _rev })],
  ['revision_restore', () => ({ revisionId })],
];

beforeAll(async () => {
  [ann, ben] = [await site.another('editor', 'ann'), await site.another('editor', 'ben')];
  await site.collection({ fields: articleFields });
});
beforeEach(async () => {
  const author = await site.as('author');
  const { address, item, _rev } = await create(author, { data: { body: 'old' }, status: 'published' });
  const { data } = await succeed(author, 'content_update', { ...address, _rev, data: { body: 'staged' } });
  entry = { address, item, _rev: data._rev };
  revisionId = (await succeed(author, 'revision_list', address)).data.items[0].id;
  await ann.post(`/content/posts/${address.id}/lock`);
});

const holder = {
  userId: expect.any(String),
  userName: expect.stringContaining('ann'),
  acquiredAt: expect.any(String),
  expiresAt: expect.any(String),
};

describe('a tool while another user holds the lease of the entry', () => {
  it.each(tools)('%s is ENTRY_LOCKED with the holder, also after reading again', async (tool, argsOf) => {
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const { _rev } = await read(ben, entry.address);
      const { code, text, details } = await callTool(ben, tool, argsOf({ _rev }));
      expect([code, text]).toEqual(['ENTRY_LOCKED', expect.stringContaining('is holding this entry')]);
      expect(text).toContain('ann@');
      expect(details).toEqual(holder);
    }
    expect((await read(ben, entry.address))._rev).toBe(entry._rev);
  });

  it.each(tools)('%s writes with overrideLock: true', async (tool, argsOf) => {
    const args = { ...argsOf(entry), overrideLock: true };
    expect((await callTool(ben, tool, args)).text).not.toMatch(/^\[/);
  });

  it.each(tools)('%s passes for the holder', async (tool, argsOf) => {
    expect((await callTool(ann, tool, argsOf(entry))).text).not.toMatch(/^\[/);
  });

  it.each(tools)('%s reports a missing permission, not the lease', async (tool, argsOf) => {
    const other = await site.another('author', 'other');
    expect((await callTool(other, tool, argsOf(entry))).code).toBe('INSUFFICIENT_PERMISSIONS');
  });

  it.each(['content_update', 'content_publish'])(
    '%s reports the missing permission for publishedAt, not the lease',
    async (tool) => {
      const args = { ...entry.address, _rev: entry._rev, publishedAt: '2020-01-01T00:00:00Z' };
      expect((await callTool(await site.as('author'), tool, args)).code).toBe('INSUFFICIENT_PERMISSIONS');
    },
  );

  it.each(['content_update', 'content_publish'])('%s reports the lease, not a stale _rev', async (tool) => {
    expect((await callTool(ben, tool, { ...entry.address, _rev: 'stale' })).code).toBe('ENTRY_LOCKED');
  });

  it('content_duplicate, content_restore and content_permanent_delete pass', async () => {
    const admin = await site.as('admin');
    expect((await callTool(ben, 'content_duplicate', entry.address)).isError).toBe(false);
    await succeed(ben, 'content_delete', { ...entry.address, overrideLock: true });
    expect((await callTool(ben, 'content_restore', entry.address)).isError).toBe(false);
    await succeed(ben, 'content_delete', { ...entry.address, overrideLock: true });
    expect((await callTool(admin, 'content_permanent_delete', entry.address)).isError).toBe(false);
  });

  it('extends the lease of the holder with a write', async () => {
    const expiry = async () => {
      const [row] = await site.sql<{ expires: string }>(
        'SELECT expires_at::text AS expires FROM entry_locks WHERE entry_id = $1',
        [entry.address.id],
      );
      return row?.expires ?? '';
    };
    await site.sql(
      `UPDATE entry_locks SET expires_at = expires_at - interval '5 minutes' WHERE entry_id = $1`,
      [entry.address.id],
    );
    const before = await expiry();
    await succeed(ann, 'content_update', { ...entry.address, _rev: entry._rev, data: { body: 'x' } });
    expect((await expiry()) > before).toBe(true);
  });
});
