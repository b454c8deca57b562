import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../../content.module.js';
import { createContent, getContent, restoreContent, updateContent } from '../../entries/index.js';
import { subscribe } from '../../integration/change-subscriptions/index.js';
import { contentTables } from '../../migrations/index.js';
import {
  block,
  createCollections,
  importDeps,
  importerOf,
  knownUserIds,
  post,
} from '../testing/import-setup.js';

const tenantId = 'spec-of-import-entries';
let content: ServiceTenant;
const deps = importDeps();

beforeAll(async () => {
  content = await openServiceTenant(tenantId, 'content', contentTables, contentEntities);
  await createCollections(content.ctx, deps);
});
afterAll(() => content.close());

const importAll = (...args: Parameters<ReturnType<typeof importerOf>>) =>
  importerOf(content.ctx, deps)(...args);
const importOne = async (importId: string, entry: ReturnType<typeof post>) => {
  const [result] = await importAll(importId, [entry]);
  if (!result) throw new Error('no result');
  return result;
};
const read = (id: string | null, from = 'posts') =>
  getContent(content.ctx, deps.entries, { collection: from, id: id ?? '' });
const rowOf = async (id: string | null, table = 'content_posts') => {
  const [row] = await content.ctx.db.query<Record<string, unknown>>(`SELECT * FROM ${table} WHERE id = $1`, [
    id,
  ]);
  return row;
};
const recordOf = async (id: string) => {
  const [row] = await content.ctx.db.query<Record<string, unknown>>(
    'SELECT * FROM import_records WHERE source_id = $1',
    [id],
  );
  return row;
};

describe('a created entry', () => {
  it('has its values, the times of its source and a record', async () => {
    const data = {
      title: 'Values',
      content: [block('x')],
      price: 1.5,
      link: 'https://a.example/',
      isopen: true,
      extra: { b: 1, a: [null] },
      at: '2020-01-01 10:00:00',
      picture: { provider: 'external', id: '', src: 'https://old.example/a.jpg' },
      links: [{ url: '/x', label: 'X' }],
      unknown_key: 'kept',
    };
    const entry = post('values', { data, authorId: knownUserIds[0] ?? null, remainder: { guid: 'g' } });
    const result = await importOne('one', entry);
    expect(result).toEqual({
      outcome: 'created',
      entryId: expect.any(String),
      slug: 'post-values',
      error: null,
      warnings: [],
      assignments: 0,
    });
    const { item } = await read(result.entryId);
    const { unknown_key: _left, ...stored } = data;
    expect(JSON.parse(JSON.stringify(item))).toMatchObject({
      status: 'published',
      version: 1,
      slug: 'post-values',
      authorId: knownUserIds[0],
      createdAt: '2020-01-02T03:04:05.000Z',
      updatedAt: '2021-02-03T04:05:06.000Z',
      publishedAt: '2020-01-02T03:04:05.000Z',
      scheduledAt: null,
      draftRevisionId: null,
      data: { ...stored, at: '2020-01-01T10:00:00.000Z' },
    });
    expect(await recordOf('values')).toMatchObject({
      kind: 'entry',
      target_id: result.entryId,
      collection: 'posts',
      import_id: 'one',
      updated_by: 'one',
      target_version: 1,
      remainder: { guid: 'g', unknown_key: 'kept' },
    });
  });

  it('has a live revision of its values when it is published and the collection has revisions', async () => {
    const { entryId } = await importOne('one', post('revision', { data: { title: 'R', isopen: false } }));
    const { item } = await read(entryId);
    const revisions = await content.ctx.db.query(
      'SELECT id, collection, author_id AS author, data FROM revisions WHERE entry_id = $1',
      [entryId],
    );
    const data = { title: 'R', isopen: false };
    expect(revisions).toEqual([{ id: item.liveRevisionId, collection: 'posts', author: null, data }]);
    const draft = await importOne('one', post('no-revision', { status: 'draft' }));
    expect((await read(draft.entryId)).item).toMatchObject({
      status: 'draft',
      liveRevisionId: null,
      publishedAt: null,
    });
    const note = await importOne('one', post('note', { collection: 'notes' }));
    expect((await read(note.entryId, 'notes')).item.liveRevisionId).toBeNull();
  });

  it('that is scheduled has its schedule and its delayed message', async () => {
    const scheduledAt = '2100-01-01T00:00:00.000Z';
    const { entryId } = await importOne('one', post('future', { status: 'scheduled', scheduledAt }));
    expect((await read(entryId)).item).toMatchObject({ status: 'scheduled', scheduledAt });
    const shared = content.databases.shared();
    expect(
      await shared.query('SELECT entry_id AS id, scheduled_at AS at FROM schedules WHERE tenant_id = $1', [
        tenantId,
      ]),
    ).toEqual([{ id: entryId, at: scheduledAt }]);
    expect(
      await shared.query(
        `SELECT job, message, due_at AS at FROM outbox WHERE message ->> 'entryId' = $1 AND message ->> 'tenantId' = $2`,
        [entryId, tenantId],
      ),
    ).toEqual([
      {
        job: 'publish-scheduled-entry',
        message: { tenantId, collection: 'posts', entryId, scheduledAt: '2100-01-01T00:00:00Z' },
        at: scheduledAt,
      },
    ]);
  });

  it('that is trashed can be restored', async () => {
    const { entryId } = await importOne('one', post('trashed', { status: 'trashed' }));
    await expect(read(entryId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await restoreContent(content.ctx, deps.entries, { collection: 'posts', id: entryId ?? '' });
    expect((await read(entryId)).item).toMatchObject({ status: 'draft', slug: 'post-trashed' });
  });

  it('has no author when its author is no user', async () => {
    const result = await importOne('one', post('author', { authorId: '01GONE' }));
    expect(result.warnings).toMatchObject([{ code: 'AUTHOR_MISSING' }]);
    expect((await rowOf(result.entryId))?.['author_id']).toBeNull();
  });
});

describe('announcements of created entries', () => {
  it('reach the subscribers of the collection', async () => {
    const { db } = content.ctx;
    const [notes] = await db.query<{ id: string }>("SELECT id FROM collections WHERE slug = 'notes'");
    const subscribed = { tenantId, id: notes?.id ?? '', slug: 'notes', table: 'content_notes' };
    await db.transaction((tx) => subscribe(tx, 'search', subscribed));
    const results = await importAll('one', [
      post('heard-1', { collection: 'notes' }),
      post('heard-2', { collection: 'notes', status: 'trashed' }),
    ]);
    const messages = await content.databases
      .shared()
      .query<{ id: string }>(
        `SELECT message ->> 'entryId' AS id FROM outbox WHERE job = 'search.index-entry' AND message ->> 'tenantId' = $1`,
        [tenantId],
      );
    expect(messages.map(({ id }) => id).sort()).toEqual(results.map(({ entryId }) => entryId).sort());
  });

  it('free the addresses of published ones from automatic redirects', async () => {
    const own = { title: 'Moved', slug: 'old-address' };
    const { item } = await createContent(content.ctx, deps.entries, {
      collection: 'posts',
      data: { title: own.title },
      slug: own.slug,
      publish: true,
    });
    const target = { collection: 'posts', id: item.id };
    await updateContent(content.ctx, deps.entries, { ...target, slug: 'new-address', transition: 'publish' });
    const redirects = () => content.ctx.db.query('SELECT source FROM redirects WHERE auto');
    expect(await redirects()).toEqual([{ source: '/posts/old-address' }]);
    await importOne('one', post('draft-there', { slug: 'old-address-draft', status: 'draft' }));
    expect(await redirects()).toHaveLength(1);
    await importOne('one', post('lives-there', { slug: 'old-address' }));
    expect(await redirects()).toEqual([]);
  });
});

describe('values that do not fit', () => {
  it('are left empty with a warning', async () => {
    const data = {
      title: 'Unfit',
      price: '19,90 €',
      link: 'javascript:alert(1)',
      links: [{ url: 'data:x', label: 'kept' }, { url: '/ok' }],
      picture: { id: 'unknown-item' },
    };
    const { entryId, outcome, warnings } = await importOne('one', post('unfit', { data }));
    expect(outcome).toBe('created');
    expect(warnings.map(({ code }) => code).sort()).toEqual([
      'META_UNFIT',
      'META_UNFIT',
      'URL_UNSAFE',
      'URL_UNSAFE',
    ]);
    expect((await read(entryId)).item.data).toEqual({
      title: 'Unfit',
      links: [{ url: null, label: 'kept' }, { url: '/ok' }],
    });
  });

  it('that PostgreSQL cannot store lose U+0000 and unpaired surrogates', async () => {
    const data = { title: 'a\u0000b', content: [block('c\ud800d')] };
    const { entryId, outcome } = await importOne('one', post('characters', { data }));
    expect(outcome).toBe('created');
    expect((await read(entryId)).item.data).toEqual({ title: 'ab', content: [block('c\ufffdd')] });
  });

  it('of an essential field make the entry a draft with its source', async () => {
    const entry = post('essential', { data: { content: 'no list', price: 2 }, title: 'Title of the source' });
    const result = await importOne('one', entry);
    expect(result).toMatchObject({
      outcome: 'failed',
      slug: 'post-essential',
      error: { code: 'VALIDATION_ERROR' },
    });
    const { item } = await read(result.entryId);
    expect(item.status).toBe('draft');
    expect(item.data).toEqual({
      title: 'Title of the source',
      price: 2,
      _importError: {
        ...result.error,
        legacyId: 'essential',
        postType: 'post',
        ...entry.original,
        at: expect.any(String),
      },
    });
  });
});

describe('slugs', () => {
  it('that are taken get -2, -3…, in one batch and across batches and the trash', async () => {
    const same = (id: string, parts = {}) => post(id, { slug: 'same', ...parts });
    await importAll('one', [same('s1', { status: 'trashed' })]);
    const results = await importAll('one', [same('s2'), same('s3'), same('s4', { collection: 'notes' })]);
    expect(results.map(({ slug, warnings }) => [slug, warnings.map(({ code }) => code)])).toEqual([
      ['same-2', ['SLUG_RENAMED']],
      ['same-3', ['SLUG_RENAMED']],
      ['same', []],
    ]);
  });

  it('stay distinct while the API and another import write the same slug', async () => {
    const other = importDeps();
    const api = Array.from({ length: 6 }, (_, index) =>
      createContent(content.ctx, other.entries, {
        collection: 'posts',
        data: { title: 'Raced' },
        slug: undefined,
      }).then(
        ({ item }) => item.slug,
        (error: unknown) => String(index) + String(error),
      ),
    );
    const imports = ['one', 'two'].map((importId) =>
      importAll(
        importId,
        Array.from({ length: 10 }, (_, index) => post(`${importId}-raced-${index}`, { slug: 'raced' })),
        { site: importId },
      ),
    );
    const slugs = [
      ...(await Promise.all(api)),
      ...(await Promise.all(imports)).flat().map(({ slug }) => slug),
    ];
    expect(new Set(slugs).size).toBe(26);
    const stored = await content.ctx.db.query(
      `SELECT slug FROM content_posts WHERE slug ~ '^raced(-[0-9]+)?$'`,
    );
    expect(stored).toHaveLength(26);
  });
});

describe('terms and credits', () => {
  it('are assigned, and those that do not exist are left out with a warning', async () => {
    const { db } = content.ctx;
    await db.query(
      `WITH t AS (SELECT id FROM taxonomies WHERE name = 'category'),
        g AS (INSERT INTO term_groups (id, taxonomy_id, sort_order) SELECT 'group-news', id, 0 FROM t RETURNING id, taxonomy_id)
       INSERT INTO terms (id, group_id, taxonomy_id, locale, slug, label)
       SELECT 'term-news', id, taxonomy_id, 'en', 'news', 'News' FROM g`,
    );
    await db.query(`INSERT INTO byline_groups (id, custom_fields) VALUES ('by-group', '{}')`);
    await db.query(
      `INSERT INTO bylines (id, slug, display_name, is_guest, locale, translation_group, custom_fields)
       VALUES ('by-ann', 'ann', 'Ann', true, 'en', 'by-group', '{}')`,
    );
    const result = await importOne(
      'one',
      post('assigned', {
        taxonomies: { category: ['news', 'missing'], planets: ['x'] },
        bylines: ['by-ann', 'by-unknown'],
      }),
    );
    expect(result.assignments).toBe(1);
    expect(result.warnings.map(({ code }) => code).sort()).toEqual([
      'BYLINE_MISSING',
      'TERM_MISSING',
      'TERM_MISSING',
    ]);
    const { item } = await read(result.entryId);
    expect(item).toMatchObject({ primaryBylineId: 'by-group', byline: { displayName: 'Ann' } });
    expect(
      await db.query('SELECT term_group AS term FROM entry_terms WHERE entry_group = $1', [result.entryId]),
    ).toEqual([{ term: 'group-news' }]);
  });

  it('are those of the source after an update', async () => {
    const { db } = content.ctx;
    await db.query(
      `WITH t AS (SELECT id FROM taxonomies WHERE name = 'category'),
        g AS (INSERT INTO term_groups (id, taxonomy_id, sort_order) SELECT 'group-art', id, 1 FROM t RETURNING id, taxonomy_id)
       INSERT INTO terms (id, group_id, taxonomy_id, locale, slug, label)
       SELECT 'term-art', id, taxonomy_id, 'en', 'art', 'Art' FROM g`,
    );
    const entry = post('reassigned', { taxonomies: { category: ['news'] }, bylines: ['by-ann'] });
    await importOne('one', entry);
    const changed = { fingerprint: 'changed', taxonomies: { category: ['art'] }, bylines: [] };
    const result = await importOne('two', { ...entry, ...changed });
    expect(result).toMatchObject({ outcome: 'updated', assignments: 1 });
    const { item } = await read(result.entryId);
    expect(item).toMatchObject({ primaryBylineId: null, bylines: [] });
    const terms = await db.query('SELECT term_group AS term FROM entry_terms WHERE entry_group = $1', [
      result.entryId,
    ]);
    expect(terms).toEqual([{ term: 'group-art' }]);
    expect(await db.query('SELECT 1 FROM entry_bylines WHERE entry_id = $1', [result.entryId])).toEqual([]);
  });
});
