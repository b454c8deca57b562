import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, idsOf, useSite, type Client } from '@quire/testing';
import { articleFields, create, failure, read, succeed, type CreatedEntry } from './entries-support.js';

const site = useSite();
let editor: Client;
let reader: Client;
/** A published entry with a staged draft, a draft and an entry in the trash. */
let live: CreatedEntry;
let draft: CreatedEntry;
let trashed: CreatedEntry;

beforeAll(async () => {
  [editor, reader] = [await site.as('editor'), await site.as('subscriber')];
  await site.collection({ fields: articleFields });
  await site.collection({ slug: 'pages', fields: articleFields });
  live = await create(editor, {
    data: { title: 'Live', body: 'old', text: '# Old', rank: 3 },
    status: 'published',
  });
  await succeed(editor, 'content_update', {
    ...live.address,
    _rev: live._rev,
    data: { body: 'new', text: '# New' },
  });
  draft = await create(editor, { data: { title: 'Draft', rank: 2 }, slug: 'draft' });
  trashed = await create(editor, { data: { title: 'Trashed' } });
  await succeed(editor, 'content_delete', trashed.address);
});

const list = async (client: Client, args: object = {}) =>
  (await succeed(client, 'content_list', { collection: 'posts', ...args })).data;

describe('content_list', () => {
  it('lists entries with their live values, newest first, without those in the trash, with the total', async () => {
    const { items, total } = await list(editor);
    expect([idsOf(items), total]).toEqual([[draft.address.id, live.address.id], 2]);
    expect(items[1]).toMatchObject({ type: 'posts', status: 'published', data: { body: 'old' } });
    expect(items[1]).not.toHaveProperty('liveData');
    expect(items[1]).not.toHaveProperty('references');
  });

  it('filters by status and orders by a field', async () => {
    expect(idsOf((await list(editor, { status: 'draft' })).items)).toEqual([draft.address.id]);
    const ordered = await list(editor, { orderBy: 'rank', order: 'asc' });
    expect(idsOf(ordered.items)).toEqual([draft.address.id, live.address.id]);
  });

  it('returns only published entries to a subscriber, whatever status is given', async () => {
    for (const status of [undefined, 'draft', 'published']) {
      const { items } = await list(reader, { status });
      expect(idsOf(items)).toEqual([live.address.id]);
      expect(items[0]).not.toHaveProperty('draftRevisionId');
    }
  });

  it('filters by locale: all without one, none of an unused one', async () => {
    await create(editor, { collection: 'pages', locale: 'de' });
    const pages = (locale?: string) => list(editor, { collection: 'pages', locale });
    expect((await pages()).items).toHaveLength(1);
    expect((await pages('de')).items).toHaveLength(1);
    expect((await pages('fr')).items).toEqual([]);
  });

  it('returns rich text as Markdown with markdown: true, else as blocks', async () => {
    expect((await list(editor, { markdown: true })).items[1].data.text).toBe('# Old');
    expect((await list(editor)).items[1].data.text).toEqual([expect.objectContaining({ style: 'h1' })]);
  });

  it('pages without gaps or repeats; nextCursor is absent on the last page', async () => {
    const first = await list(editor, { limit: 1 });
    const second = await list(editor, { limit: 1, cursor: first.nextCursor });
    expect(idsOf([...first.items, ...second.items])).toEqual([draft.address.id, live.address.id]);
    expect(second).not.toHaveProperty('nextCursor');
  });

  it('rejects a cursor that is garbage or of another list with INVALID_CURSOR', async () => {
    const { nextCursor } = await list(editor, { limit: 1 });
    const codes = [];
    for (const args of [
      { collection: 'posts', cursor: 'garbage' },
      { collection: 'pages', cursor: nextCursor },
      { collection: 'posts', cursor: nextCursor, status: 'draft' },
    ])
      codes.push((await failure(editor, 'content_list', args))[0]);
    expect(codes).toEqual(['INVALID_CURSOR', 'INVALID_CURSOR', 'INVALID_CURSOR']);
  });

  it.each([
    { limit: 0 },
    { limit: 101 },
    { limit: 1.5 },
    { limit: '10' },
    { cursor: '' },
    { cursor: 'x'.repeat(2049) },
    { status: 'trashed' },
    { order: 'up' },
    { orderBy: 'body' },
    { orderBy: 'nothing' },
    { locale: 'not a locale' },
    { markdown: 'true' },
  ])('rejects %j with VALIDATION_ERROR', async (args) => {
    const [code, message] = await failure(editor, 'content_list', { collection: 'posts', ...args });
    expect(code).toBe('VALIDATION_ERROR');
    if ('orderBy' in args) expect(message).toContain(args.orderBy);
  });

  it('names an unknown collection in NOT_FOUND', async () => {
    const [code, message] = await failure(editor, 'content_list', { collection: 'unknown_slug' });
    expect([code, message]).toEqual(['NOT_FOUND', expect.stringContaining('unknown_slug')]);
  });
});

describe('content_get', () => {
  it('returns the staged values in data and the published ones in liveData, beside _rev and references', async () => {
    const { item, _rev, references } = await read(editor, live.address);
    expect(item).toMatchObject({ status: 'published', data: { body: 'new' }, liveData: { body: 'old' } });
    expect(item.draftRevisionId).toEqual(expect.any(String));
    expect([_rev, references]).toEqual([expect.any(String), {}]);
  });

  it('returns live values without liveData and draftRevisionId to a subscriber', async () => {
    const { item } = await read(reader, live.address);
    expect(item.data.body).toBe('old');
    expect(item).not.toHaveProperty('liveData');
    expect(item).not.toHaveProperty('draftRevisionId');
  });

  it('finds an entry by its slug, and by the locale of the slug', async () => {
    const german = await create(editor, { slug: 'same', locale: 'de' });
    const english = await create(editor, { slug: 'same', locale: 'en' });
    const ids = [];
    for (const locale of [undefined, 'en', 'de'])
      ids.push((await read(editor, { collection: 'posts', id: 'same' }, { locale })).item.id);
    expect(ids).toEqual([english.address.id, english.address.id, german.address.id]);
    expect((await failure(editor, 'content_get', { collection: 'posts', id: 'same', locale: 'fr' }))[0]).toBe(
      'NOT_FOUND',
    );
  });

  it('returns rich text as Markdown with markdown: true, also in liveData', async () => {
    const { item } = await read(editor, live.address, { markdown: true });
    expect([item.data.text, item.liveData.text]).toEqual(['# New', '# Old']);
  });

  it('echoes the id in NOT_FOUND: unknown, in the trash, of another collection, or hidden from a subscriber', async () => {
    for (const [client, address] of [
      [editor, { collection: 'posts', id: 'unknown-id' }],
      [editor, trashed.address],
      [editor, { ...draft.address, collection: 'pages' }],
      [reader, draft.address],
    ] as const) {
      const [code, message] = await failure(client, 'content_get', address);
      expect([code, message]).toEqual(['NOT_FOUND', expect.stringContaining(address.id)]);
    }
  });

  it('requires the scope content:read', async () => {
    const writer = await site.withScopes('editor', ['content:write']);
    const [code, message] = await failure(writer, 'content_get', live.address);
    expect([code, message]).toEqual(['INSUFFICIENT_SCOPE', expect.stringContaining('content:read')]);
  });
});

describe('content_compare', () => {
  it('returns the published and the staged values', async () => {
    const { data } = await succeed(editor, 'content_compare', live.address);
    expect(data).toMatchObject({ hasChanges: true, live: { body: 'old' }, draft: { body: 'new' } });
  });

  it('returns null for values that an entry does not have', async () => {
    const { data } = await succeed(editor, 'content_compare', draft.address);
    expect(data).toEqual({ hasChanges: false, live: null, draft: null });
  });
});

describe('content_list_trashed', () => {
  it('lists the trash with deletedAt, last deleted first, in pages', async () => {
    const later = await create(editor);
    await succeed(editor, 'content_delete', later.address);
    const first = (await succeed(editor, 'content_list_trashed', { collection: 'posts', limit: 1 })).data;
    expect(first.items).toEqual([{ ...later.item, deletedAt: expect.any(String) }]);
    const args = { collection: 'posts', limit: 1, cursor: first.nextCursor };
    const second = (await succeed(editor, 'content_list_trashed', args)).data;
    expect(idsOf(second.items)).toEqual([trashed.address.id]);
    expect(second).not.toHaveProperty('nextCursor');
  });
});

describe('content_translations', () => {
  it('lists the entry itself, and its translations by locale', async () => {
    const english = await create(editor, { collection: 'pages', status: 'published' });
    const own = (await succeed(editor, 'content_translations', english.address)).data;
    expect(idsOf(own.translations)).toEqual([english.address.id]);
    const german = await create(editor, {
      collection: 'pages',
      locale: 'de',
      translationOf: english.address.id,
    });
    const { data } = await succeed(editor, 'content_translations', {
      collection: 'pages',
      id: english.item.slug,
    });
    expect(data).toEqual({
      translationGroup: own.translationGroup,
      translations: [german, english].map(({ item }) => ({
        id: item.id,
        locale: item.locale,
        slug: item.slug,
        status: item.status,
        updatedAt: item.updatedAt,
      })),
    });
    const visible = (await succeed(reader, 'content_translations', english.address)).data;
    expect(idsOf(visible.translations)).toEqual([english.address.id]);
  });
});

describe('tools of drafts', () => {
  it.each(['content_compare', 'content_list_trashed', 'revision_list'])(
    '%s is INSUFFICIENT_PERMISSIONS for a subscriber, and allowed to a contributor',
    async (tool) => {
      expect((await failure(reader, tool, live.address))[0]).toBe('INSUFFICIENT_PERMISSIONS');
      const contributor = await site.as('contributor');
      expect((await callTool(contributor, tool, live.address)).isError).toBe(false);
    },
  );
});
