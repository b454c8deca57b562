import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, useSite, type Client } from '@quire/testing';
import { articleFields, create, failure, read, succeed } from './entries-support.js';

const site = useSite();
let editor: Client;
let contributor: Client;

beforeAll(async () => {
  [editor, contributor] = [await site.as('editor'), await site.as('contributor')];
  await site.collection({
    fields: [
      ...articleFields,
      { slug: 'link', type: 'url' },
      { slug: 'starts', type: 'datetime' },
      { slug: 'kind', type: 'select', validation: { options: ['a', 'b'] } },
      { slug: 'tags', type: 'multiSelect', validation: { options: ['a', 'b'] } },
      { slug: 'extra', type: 'json' },
      { slug: 'layout', type: 'blocks' },
    ],
  });
  await (
    await site.as('admin')
  ).post('/taxonomies', { name: 'topic', label: 'Topics', collections: ['posts'] });
  await editor.post('/taxonomies/topic/terms', { slug: 'news', label: 'News' });
});

const countOfEntries = async () =>
  (await succeed(editor, 'content_list', { collection: 'posts', limit: 1 })).data.total as number;

describe('content_create', () => {
  it('creates a draft of the caller with a slug from the title, and returns its _rev', async () => {
    const { item, address, _rev } = await create(contributor, { data: { title: 'Hello World' } });
    expect(item).toMatchObject({ slug: 'hello-world', status: 'draft', locale: 'en', publishedAt: null });
    expect(item.authorId).toEqual(expect.any(String));
    expect((await read(editor, address))._rev).toBe(_rev);
    expect((await create(editor, { data: { title: 'Hello World' } })).item.slug).toBe('hello-world-1');
  });

  it('publishes the entry with status published', async () => {
    const { item, address } = await create(editor, { status: 'published', data: { body: 'b' } });
    expect(item).toMatchObject({ status: 'published', draftRevisionId: null, data: { body: 'b' } });
    expect(item.publishedAt).toEqual(expect.any(String));
    expect((await read(await site.as('subscriber'), address)).item.status).toBe('published');
  });

  it('gives entries of one title that are published at once different slugs', async () => {
    const created = await Promise.all(
      Array.from({ length: 5 }, () => create(editor, { data: { title: 'At once' }, status: 'published' })),
    );
    expect(new Set(created.map(({ item }) => item.slug)).size).toBe(5);
    expect(created.every(({ item }) => item.status === 'published')).toBe(true);
  });

  it('creates nothing when the publication fails', async () => {
    await site.collection({ slug: 'unnamed', fields: [{ slug: 'body', type: 'text' }] });
    const args = { collection: 'unnamed', data: { body: 'no slug' } };
    const [code, message] = await failure(editor, 'content_create', { ...args, status: 'published' });
    expect([code, message]).toEqual(['VALIDATION_ERROR', expect.stringContaining('slug')]);
    expect((await succeed(editor, 'content_list', { collection: 'unnamed' })).data.items).toEqual([]);
    expect((await callTool(editor, 'content_create', args)).isError).toBe(false);
  });

  it('needs the permission to publish own content for status published, and creates nothing without it', async () => {
    const before = await countOfEntries();
    const args = { collection: 'posts', data: { title: 'T' }, status: 'published' };
    const [code, message] = await failure(contributor, 'content_create', args);
    expect([code, message]).toEqual(['INSUFFICIENT_PERMISSIONS', expect.stringContaining('content:publish')]);
    expect(await countOfEntries()).toBe(before);
    expect((await callTool(await site.as('author'), 'content_create', args)).isError).toBe(false);
  });

  it('rejects a taken slug of the locale with SLUG_CONFLICT; another locale may have it', async () => {
    await create(editor, { slug: 'taken' });
    const args = { collection: 'posts', data: { title: 'T' }, slug: 'taken' };
    const [code, message] = await failure(editor, 'content_create', args);
    expect([code, message]).toEqual(['SLUG_CONFLICT', expect.stringContaining('taken')]);
    expect((await create(editor, { slug: 'taken', locale: 'de' })).item.locale).toBe('de');
  });

  it('joins the group of translationOf, once a locale, with the right to edit the source', async () => {
    const source = await create(editor);
    const translationOf = source.address.id;
    const german = await create(editor, { locale: 'de', translationOf });
    expect(german.item.translationGroup).toBe(source.item.translationGroup);
    const args = { collection: 'posts', data: { title: 'T' }, locale: 'de', translationOf };
    expect((await failure(editor, 'content_create', args))[0]).toBe('CONFLICT');
    const [code, message] = await failure(editor, 'content_create', { ...args, translationOf: 'missing-id' });
    expect([code, message]).toEqual(['NOT_FOUND', expect.stringContaining('missing-id')]);
    expect((await failure(contributor, 'content_create', { ...args, locale: 'fr' }))[0]).toBe(
      'INSUFFICIENT_PERMISSIONS',
    );
  });

  it('sets taxonomies in the same transaction: an unknown term or taxonomy or byline creates nothing', async () => {
    const before = await countOfEntries();
    for (const more of [
      { taxonomies: { topic: ['nothing'] } },
      { taxonomies: { unknown: ['news'] } },
      { bylines: [{ bylineId: 'unknown' }] },
      { references: { unknown: [] } },
    ]) {
      const args = { collection: 'posts', data: { title: 'T' }, ...more };
      expect((await failure(editor, 'content_create', args))[0]).toBe('VALIDATION_ERROR');
    }
    expect(await countOfEntries()).toBe(before);
    const { address } = await create(editor, { taxonomies: { topic: ['news'] } });
    const { data } = await editor.get(`/content/posts/${address.id}/terms/topic`);
    expect(JSON.stringify(data)).toContain('news');
  });

  it('names every invalid value in one VALIDATION_ERROR', async () => {
    const data = {
      unknown: 1,
      body: 5,
      rank: 'x',
      link: 'javascript:alert(1)',
      starts: '2026-01-01T00:00:00',
      kind: 'c',
      tags: ['a', 'c'],
      layout: null,
    };
    const result = await callTool(editor, 'content_create', { collection: 'posts', data });
    expect(result.code).toBe('VALIDATION_ERROR');
    for (const slug of [...Object.keys(data), 'title']) expect(result.text).toContain(`${slug}`);
    const paths = (result.details?.['issues'] as { path: string }[]).map(({ path }) => path.split('.')[0]);
    expect(new Set(paths)).toEqual(new Set([...Object.keys(data), 'title']));
  });

  it.each([{ title: '' }, { title: null }, {}])('rejects a required field given as %j', async (data) => {
    const [code, message] = await failure(editor, 'content_create', { collection: 'posts', data });
    expect([code, message]).toEqual(['VALIDATION_ERROR', expect.stringContaining('title')]);
  });

  it.each(['data', 'collection'])('rejects a call without %s, naming it', async (name) => {
    const { [name]: _omitted, ...args } = { collection: 'posts', data: { title: 'T' } } as Record<
      string,
      unknown
    >;
    const [code, message] = await failure(editor, 'content_create', args);
    expect([code, message]).toEqual(['VALIDATION_ERROR', expect.stringContaining(name)]);
  });

  it.each([{ locale: 'not a locale' }, { slug: 'not a slug/' }, { status: 'scheduled' }, { data: [] }])(
    'rejects %j with VALIDATION_ERROR',
    async (args) => {
      const [code] = await failure(editor, 'content_create', {
        collection: 'posts',
        data: { title: 'T' },
        ...args,
      });
      expect(code).toBe('VALIDATION_ERROR');
    },
  );

  it('ignores arguments that it does not know', async () => {
    const { item } = await create(editor, { authorId: 'x', publishedAt: '2020-01-01T00:00:00Z', unknown: 1 });
    expect(item.publishedAt).toBeNull();
  });

  it.each(['draft', 'published'])(
    'stores the digits of json values of a %s as they are written',
    async (status) => {
      const exact = '{"a":12345678901234567890,"b":-0.10,"c":[1E+2]}';
      const call = `{"collection":"posts","status":"${status}","data":{"title":"T","extra":${exact}}}`;
      const rawBody = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"content_create","arguments":${call}}}`;
      const headers = { 'content-type': 'application/json' };
      const { text } = await editor.post('/mcp', undefined, { rawBody, headers });
      expect(text).toContain(JSON.stringify(`"extra":${exact}`).slice(1, -1));
    },
  );

  it('requires content:write and at least the role of a contributor', async () => {
    const args = { collection: 'posts', data: { title: 'T' } };
    const readOnly = await site.withScopes('editor', ['content:read']);
    expect((await failure(readOnly, 'content_create', args))[0]).toBe('INSUFFICIENT_SCOPE');
    expect((await failure(await site.as('subscriber'), 'content_create', args))[0]).toBe(
      'INSUFFICIENT_PERMISSIONS',
    );
  });

  it('names an unknown collection in NOT_FOUND, before the right to publish', async () => {
    const args = { collection: 'unknown_slug', data: {}, status: 'published' };
    const [code, message] = await failure(contributor, 'content_create', args);
    expect([code, message]).toEqual(['NOT_FOUND', expect.stringContaining('unknown_slug')]);
  });
});

describe('content_duplicate', () => {
  it('creates a draft of the caller with a free slug and (Copy) after the title', async () => {
    const source = await create(editor, { data: { title: 'Twice', body: 'b' }, status: 'published' });
    const { data } = await succeed(await site.as('admin'), 'content_duplicate', source.address);
    expect(data.item).toMatchObject({
      status: 'draft',
      slug: 'twice-copy',
      data: { title: 'Twice (Copy)', body: 'b' },
      publishedAt: null,
    });
    expect(data.item.id).not.toBe(source.address.id);
    expect(data.item.authorId).not.toBe(source.item.authorId);
  });

  it('needs the right to edit the source', async () => {
    const { address } = await create(contributor);
    expect((await failure(contributor, 'content_duplicate', address))[0]).toBe('INSUFFICIENT_PERMISSIONS');
    const [code, message] = await failure(editor, 'content_duplicate', { collection: 'posts', id: 'no-id' });
    expect([code, message]).toEqual(['NOT_FOUND', expect.stringContaining('no-id')]);
  });
});
