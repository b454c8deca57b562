import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { callTool, useSite, type Client } from '@quire/testing';
import {
  articleFields,
  create,
  failure,
  future,
  read,
  succeed,
  type CreatedEntry,
} from './entries-support.js';

const site = useSite();
let author: Client;
let editor: Client;
let entry: CreatedEntry;

beforeAll(async () => {
  [author, editor] = [await site.as('author'), await site.as('editor')];
  await site.collection({ fields: articleFields });
});
beforeEach(async () => {
  entry = await create(author, { data: { body: 'old' } });
});

/** Calls a tool with the address and the present `_rev` of an entry. */
const change = async (tool: string, args: object = {}, of = entry) => {
  const { _rev } = await read(author, of.address);
  return (await succeed(author, tool, { ...of.address, _rev, ...args })).data;
};

describe('content_publish', () => {
  it('makes the draft live, and ends it and the schedule', async () => {
    await change('content_schedule', { scheduledAt: future });
    await change('content_update', { data: { body: 'new' } });
    const { item, _rev } = await change('content_publish');
    expect(item).toMatchObject({
      status: 'published',
      data: { body: 'new' },
      draftRevisionId: null,
      scheduledAt: null,
    });
    expect((await read(author, entry.address))._rev).toBe(_rev);
  });

  it('keeps publishedAt when it publishes again; an explicit one replaces it', async () => {
    const first = await change('content_publish');
    expect((await change('content_publish')).item.publishedAt).toBe(first.item.publishedAt);
    const { _rev } = await read(author, entry.address);
    const publishedAt = '2020-01-01T02:00:00+02:00';
    const { data } = await succeed(editor, 'content_publish', { ...entry.address, _rev, publishedAt });
    expect(data.item.publishedAt).toBe('2020-01-01T00:00:00.000Z');
  });

  it('needs content:publish_any for publishedAt, and names it', async () => {
    const args = { ...entry.address, _rev: entry._rev, publishedAt: '2020-01-01T00:00:00Z' };
    const [code, message] = await failure(author, 'content_publish', args);
    expect([code, message]).toEqual([
      'INSUFFICIENT_PERMISSIONS',
      expect.stringContaining('content:publish_any'),
    ]);
  });

  it('checks required fields again', async () => {
    await site.collection({ slug: 'strict', fields: articleFields });
    const strict = await create(author, { collection: 'strict' });
    const field = { slug: 'later', label: 'Later', type: 'string', required: true };
    await (await site.as('admin')).post('/schema/collections/strict/fields', field);
    const args = { ...strict.address, _rev: (await read(author, strict.address))._rev };
    const [code, message] = await failure(author, 'content_publish', args);
    expect([code, message]).toEqual(['VALIDATION_ERROR', expect.stringContaining('later')]);
  });
});

describe('content_unpublish', () => {
  it('makes a draft of the entry, keeps values and publishedAt, and ends the schedule', async () => {
    const live = await change('content_publish');
    await change('content_update', { data: { body: 'new' } });
    await change('content_schedule', { scheduledAt: future });
    const { item } = await change('content_unpublish');
    expect(item).toMatchObject({
      status: 'draft',
      data: { body: 'new' },
      publishedAt: live.item.publishedAt,
      scheduledAt: null,
    });
  });

  it('changes nothing of a draft', async () => {
    const { item, _rev } = await change('content_unpublish');
    expect([item.status, _rev]).toEqual(['draft', entry._rev]);
  });
});

describe('content_schedule and content_unschedule', () => {
  it('schedule a draft, and make it a draft again', async () => {
    const { item } = await change('content_schedule', { scheduledAt: '2099-01-01T01:00:00+01:00' });
    expect(item).toMatchObject({ status: 'scheduled', scheduledAt: future });
    const { data } = await succeed(author, 'content_unschedule', entry.address);
    expect(data.item).toMatchObject({ status: 'draft', scheduledAt: null });
    expect(data._rev).toBe((await read(author, entry.address))._rev);
  });

  it('keep a published entry published', async () => {
    await change('content_publish');
    const { item } = await change('content_schedule', { scheduledAt: future });
    expect(item).toMatchObject({ status: 'published', scheduledAt: future });
    const { data } = await succeed(author, 'content_unschedule', entry.address);
    expect(data.item).toMatchObject({ status: 'published', scheduledAt: null });
  });

  it('change nothing of an entry without a schedule', async () => {
    const { data } = await succeed(author, 'content_unschedule', entry.address);
    expect(data._rev).toBe(entry._rev);
  });

  it.each([
    ['2020-01-01T00:00:00Z', /future/],
    ['2099-01-01T00:00:00', /ISO 8601/],
    ['tomorrow', /ISO 8601/],
  ])('reject the time %s with VALIDATION_ERROR', async (scheduledAt, reason) => {
    const args = { ...entry.address, _rev: entry._rev, scheduledAt };
    const [code, message] = await failure(author, 'content_schedule', args);
    expect([code, message]).toEqual(['VALIDATION_ERROR', expect.stringMatching(reason)]);
  });

  it('check the entry and its _rev before the time', async () => {
    const past = { scheduledAt: '2020-01-01T00:00:00Z' };
    const codes = [];
    for (const args of [
      { collection: 'posts', id: 'unknown', _rev: entry._rev },
      { ...entry.address, _rev: 'stale' },
    ])
      codes.push((await failure(author, 'content_schedule', { ...args, ...past }))[0]);
    expect(codes).toEqual(['NOT_FOUND', 'CONFLICT']);
  });
});

describe('content_discard_draft', () => {
  it('discards the staged values and returns the live ones', async () => {
    await change('content_publish');
    await change('content_update', { data: { body: 'new' } });
    const { item } = await change('content_discard_draft');
    expect(item).toMatchObject({ status: 'published', data: { body: 'old' }, draftRevisionId: null });
    expect(item).not.toHaveProperty('liveData');
  });

  it('changes nothing of an entry without a draft', async () => {
    expect((await change('content_discard_draft'))._rev).toBe(entry._rev);
  });
});

describe('content_delete, content_restore and content_permanent_delete', () => {
  it('move an entry to the trash, and bring it back as a draft without a schedule', async () => {
    await change('content_publish');
    await change('content_schedule', { scheduledAt: future });
    const { data } = await succeed(author, 'content_delete', entry.address);
    expect(data).toEqual({ deleted: true, id: entry.address.id });
    expect((await failure(author, 'content_delete', entry.address))[0]).toBe('NOT_FOUND');
    const restored = (await succeed(author, 'content_restore', entry.address)).data;
    expect(restored).toMatchObject({
      restored: true,
      item: { id: entry.address.id, status: 'draft', scheduledAt: null, data: { body: 'old' } },
    });
  });

  it('remove a trashed entry for ever', async () => {
    const admin = await site.as('admin');
    await succeed(author, 'content_delete', entry.address);
    const { data } = await succeed(admin, 'content_permanent_delete', entry.address);
    expect(data).toEqual({ deleted: true, id: entry.address.id });
    expect((await failure(admin, 'content_restore', entry.address))[0]).toBe('NOT_FOUND');
  });

  it('are NOT_FOUND with the id for an entry that is not in the trash, which stays', async () => {
    const admin = await site.as('admin');
    for (const tool of ['content_restore', 'content_permanent_delete']) {
      for (const address of [entry.address, { collection: 'posts', id: 'unknown-id' }]) {
        const [code, message] = await failure(admin, tool, address);
        expect([code, message]).toEqual(['NOT_FOUND', expect.stringContaining(address.id)]);
      }
    }
    expect((await read(author, entry.address)).item.id).toBe(entry.address.id);
  });
});

describe('the right to change states', () => {
  const tools = [
    'content_publish',
    'content_unpublish',
    'content_schedule',
    'content_unschedule',
    'content_discard_draft',
    'content_delete',
  ];
  const args = () => ({ ...entry.address, _rev: entry._rev, scheduledAt: future });

  it.each(tools)('%s needs the ownership of the entry, or the role of an editor', async (tool) => {
    const other = await site.another('author', 'other');
    expect((await failure(other, tool, args()))[0]).toBe('INSUFFICIENT_PERMISSIONS');
    expect((await failure(await site.as('contributor'), tool, args()))[0]).toBe('INSUFFICIENT_PERMISSIONS');
    expect((await callTool(editor, tool, args())).isError).toBe(false);
  });

  it('content_restore needs the ownership too, content_permanent_delete the role of an administrator', async () => {
    await succeed(author, 'content_delete', entry.address);
    const other = await site.another('author', 'third');
    expect((await failure(other, 'content_restore', entry.address))[0]).toBe('INSUFFICIENT_PERMISSIONS');
    expect((await failure(editor, 'content_permanent_delete', entry.address))[0]).toBe(
      'INSUFFICIENT_PERMISSIONS',
    );
    expect((await callTool(author, 'content_restore', entry.address)).isError).toBe(false);
  });

  it.each([...tools, 'content_restore', 'content_permanent_delete'])(
    '%s needs the scope content:write',
    async (tool) => {
      const readOnly = await site.withScopes('admin', ['content:read']);
      const [code, message] = await failure(readOnly, tool, args());
      expect([code, message]).toEqual(['INSUFFICIENT_SCOPE', expect.stringContaining('content:write')]);
    },
  );
});
