import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { callTool, useSite, type Client } from '@quire/testing';
import { articleFields, create, failure, read, succeed, type CreatedEntry } from './entries-support.js';

const site = useSite();
let editor: Client;
let author: Client;
let entry: CreatedEntry;

beforeAll(async () => {
  [editor, author] = [await site.as('editor'), await site.as('author')];
  await site.collection({ supports: ['drafts', 'revisions', 'seo'], fields: articleFields });
  await site.collection({ slug: 'plain', fields: articleFields });
});
beforeEach(async () => {
  entry = await create(author, { data: { body: 'old', rank: 1 } });
});

const update = (client: Client, args: object, { address, _rev } = entry) =>
  callTool(client, 'content_update', { ...address, _rev, ...args });
const published = () => create(author, { data: { body: 'old', rank: 1 }, status: 'published' });

describe('content_update', () => {
  it('changes only the given values, and returns the new values and _rev', async () => {
    const { data } = await update(author, { data: { body: 'new' } });
    expect(data.item.data).toMatchObject({ title: entry.item.data.title, body: 'new', rank: 1 });
    expect(data._rev).not.toBe(entry._rev);
    expect((await read(author, entry.address))._rev).toBe(data._rev);
  });

  it('stages the values and the slug of a published entry', async () => {
    const live = await published();
    const { data } = await update(author, { data: { body: 'new' }, slug: 'new-slug' }, live);
    expect(data.item).toMatchObject({
      status: 'published',
      data: { body: 'new' },
      liveData: { body: 'old' },
      draftRevisionId: expect.any(String),
    });
    const bySlug = { collection: 'posts', id: 'new-slug' };
    expect((await failure(author, 'content_get', bySlug))[0]).toBe('NOT_FOUND');
    await succeed(author, 'content_publish', { ...live.address, _rev: data._rev });
    expect((await read(author, bySlug)).item.data.body).toBe('new');
  });

  it('publishes after the update with status published', async () => {
    const { data } = await update(author, { data: { body: 'new' }, status: 'published' });
    expect(data.item).toMatchObject({ status: 'published', draftRevisionId: null, data: { body: 'new' } });
    expect(data.item).not.toHaveProperty('liveData');
    expect((await read(author, entry.address))._rev).toBe(data._rev);
  });

  it('clears a value that is null, also with status published', async () => {
    const { data } = await update(author, { data: { body: null }, status: 'published' });
    expect(data.item.data).toEqual({ title: entry.item.data.title, rank: 1 });
  });

  it('makes a staged slug and all staged values live with status published', async () => {
    const live = await published();
    const staged = await update(author, { data: { body: 'staged' } }, live);
    const { data } = await update(
      author,
      { data: { rank: 2 }, slug: 'moved', status: 'published' },
      { ...live, _rev: staged.data._rev },
    );
    expect(data.item).toMatchObject({
      slug: 'moved',
      data: { body: 'staged', rank: 2 },
      draftRevisionId: null,
    });
    expect(data.item.publishedAt).toBe(live.item.publishedAt);
  });

  it('unpublishes after the update with status draft, and keeps publishedAt', async () => {
    const live = await published();
    const { data } = await update(author, { data: { body: 'new' }, status: 'draft' }, live);
    expect(data.item).toMatchObject({
      status: 'draft',
      data: { body: 'new' },
      publishedAt: live.item.publishedAt,
    });
  });

  it('changes nothing when the publication fails', async () => {
    const other = await create(author, { slug: 'in-the-way', status: 'published' });
    const result = await update(author, {
      data: { title: 'Changed', body: 'new' },
      slug: other.item.slug,
      status: 'published',
    });
    expect(result.code).toBe('SLUG_CONFLICT');
    await site.collection({ slug: 'strict', fields: articleFields });
    const optional = await create(author, { collection: 'strict', data: { body: 'old' } });
    await (
      await site.as('admin')
    ).post('/schema/collections/strict/fields', {
      slug: 'later',
      label: 'Later',
      type: 'string',
      required: true,
    });
    const failed = await update(author, { data: { body: 'new' }, status: 'published' }, optional);
    expect([failed.code, failed.text]).toEqual(['VALIDATION_ERROR', expect.stringContaining('later')]);
    const after = await read(author, optional.address);
    expect([after._rev, after.item.data.body, after.item.draftRevisionId]).toEqual([
      optional._rev,
      'old',
      null,
    ]);
    const revisions = (await succeed(author, 'revision_list', optional.address)).data;
    expect(revisions.total).toBe(0);
  });

  it('applies seo at once, null clears a value, and rejects it for a collection without SEO', async () => {
    const live = await published();
    const first = await update(author, { seo: { title: 'S', description: 'D', noIndex: true } }, live);
    expect(first.data.item.seo).toMatchObject({ title: 'S', description: 'D', noIndex: true });
    const next = { ...live, _rev: first.data._rev };
    const { data } = await update(author, { seo: { title: null, noIndex: null } }, next);
    expect(data.item.seo).toMatchObject({ title: null, description: 'D', noIndex: false });
    const plain = await create(author, { collection: 'plain' });
    expect((await update(author, { seo: { title: 'S' } }, plain)).code).toBe('VALIDATION_ERROR');
  });

  it.each([
    { seo: { title: 'x'.repeat(201) } },
    { seo: { description: 'x'.repeat(501) } },
    { seo: { canonical: 'ftp://a.example' } },
    { data: { title: '' } },
    { data: { title: null } },
    { data: { unknown: 1 } },
    { bylines: [{ bylineId: 'unknown' }] },
    { publishedAt: 'yesterday' },
    { status: 'scheduled' },
    { overrideLock: 'true' },
  ])('rejects %j with VALIDATION_ERROR and leaves no revision', async (args) => {
    expect((await update(editor, args)).code).toBe('VALIDATION_ERROR');
    expect((await read(author, entry.address))._rev).toBe(entry._rev);
    expect((await succeed(author, 'revision_list', entry.address)).data.total).toBe(0);
  });

  it('sets and clears publishedAt for an editor', async () => {
    const { data } = await update(editor, { publishedAt: '2020-01-01T01:00:00+01:00' });
    expect(data.item.publishedAt).toBe('2020-01-01T00:00:00.000Z');
    const cleared = await update(editor, { publishedAt: null }, { ...entry, _rev: data._rev });
    expect(cleared.data.item.publishedAt).toBeNull();
  });

  it('needs content:publish_any for publishedAt, and names it', async () => {
    const { code, text } = await update(author, { publishedAt: '2020-01-01T00:00:00Z' });
    expect([code, text]).toEqual([
      'INSUFFICIENT_PERMISSIONS',
      expect.stringContaining('content:publish_any'),
    ]);
  });

  it('needs the ownership of the entry, or the role of an editor', async () => {
    const { address, _rev } = await create(editor);
    const args = { ...address, _rev, data: { body: 'x' } };
    const { code, text } = await callTool(author, 'content_update', args);
    expect([code, text]).toEqual(['INSUFFICIENT_PERMISSIONS', expect.not.stringContaining('authorId')]);
    expect((await update(editor, { data: { body: 'x' } })).isError).toBe(false);
    expect((await update(await site.as('contributor'), {})).code).toBe('INSUFFICIENT_PERMISSIONS');
  });

  it('echoes the id in NOT_FOUND, also of a trashed entry', async () => {
    await succeed(author, 'content_delete', entry.address);
    const { code, text } = await update(author, { data: {} });
    expect([code, text]).toEqual(['NOT_FOUND', expect.stringContaining(entry.address.id)]);
  });
});

describe('tools that require _rev', () => {
  const tools: [string, object][] = [
    ['content_update', { data: { body: 'x' } }],
    ['content_publish', {}],
    ['content_unpublish', {}],
    ['content_schedule', { scheduledAt: '2099-01-01T00:00:00Z' }],
    ['content_discard_draft', {}],
  ];

  it.each(tools)('%s rejects a missing or empty _rev with VALIDATION_ERROR', async (tool, args) => {
    for (const more of [{}, { _rev: '' }]) {
      const [code, message] = await failure(author, tool, { ...entry.address, ...args, ...more });
      expect([code, message]).toEqual(['VALIDATION_ERROR', expect.stringContaining('_rev')]);
    }
  });

  it.each(tools)(
    '%s rejects a stale _rev with CONFLICT, says to read again, and changes nothing',
    async (tool, args) => {
      const changed = await update(author, { data: { body: 'first' } });
      const [code, message] = await failure(author, tool, { ...entry.address, _rev: entry._rev, ...args });
      expect([code, message]).toEqual(['CONFLICT', expect.stringContaining('content_get')]);
      const after = await read(author, entry.address);
      expect([after._rev, after.item.data.body]).toEqual([changed.data._rev, 'first']);
    },
  );

  it.each([undefined, 'published'])(
    'let one of two concurrent updates succeed, with status %s',
    async (status) => {
      const results = await Promise.all(['a', 'b'].map((body) => update(author, { data: { body }, status })));
      expect(results.map(({ code }) => code ?? 'success').sort()).toEqual(['CONFLICT', 'success']);
    },
  );
});
