import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Context } from '@quire/context';
import { beginStableRead } from '@quire/database';
import { timestampOf, type PublishScheduledEntry } from '@quire/jobs';
import { recordKinds, type RecordKind } from '@quire/site-package';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { contentEntities } from '../content.module.js';
import { finishDeletions } from '../deletions/sweep/index.js';
import { getContent, publishContent, updateContent } from '../entries/index.js';
import { publishScheduledEntryJob } from '../entries/scheduling/index.js';
import { importDeps } from '../import/testing/import-setup.js';
import { subscribeToNewCollections } from '../integration/change-subscriptions/index.js';
import { contentTables } from '../migrations/index.js';
import { createField, createFieldBody, deleteCollection } from '../schema/index.js';
import { updateTerm } from '../taxonomies/terms/index.js';
import { lockCollections } from './copied-collections.js';
import { fencingTokens } from './fencing-tokens.js';
import { clearSiteRecords } from './operations/clear-site-records.js';
import { finishSiteRecords } from './operations/finish-site-records.js';
import { inspectSiteRecords } from './operations/inspect-site-records.js';
import { stageSiteRecords, writeSiteRecords } from './site-records.operations.js';
import { readLines } from './testing/copies.js';
import { createFullSite } from './testing/full-site.js';
import { importRecords, sampleEntry as entry } from './testing/import-records.js';

const openTenant = (name: string) => openServiceTenant(name, 'content', contentTables, contentEntities);

/** Kinds that the service owns. */
const ownKinds: readonly RecordKind[] = recordKinds.filter(
  (kind) => !['search_collections', 'media_folders', 'media_items'].includes(kind),
);

let source: ServiceTenant;
let target: ServiceTenant;
beforeAll(async () => {
  source = await openTenant('spec-of-import-source');
  target = await openTenant('spec-of-import-target');
  await createFullSite(source.ctx);
  // Records follow the times of the source, not those of the import.
  await source.ctx.db.query(`UPDATE collections SET created_at = '2020-01-01', updated_at = '2021-01-01'`);
  await stage(source.ctx);
  await target.ctx.db.transaction((tx) => subscribeToNewCollections(tx, 'media-usage', true));
  await importRecords(target.ctx, (kind) => sourceLines(kind), { times: 2 });
  await stage(target.ctx);
});
afterAll(async () => {
  await source.close();
  await target.close();
});

const stage = (ctx: Context) => stageSiteRecords(ctx, { operationId: 'op', comments: true });
const sourceLines = (kind: RecordKind) =>
  ownKinds.includes(kind) ? readLines(source.ctx, 'op', kind) : Promise.resolve([]);
const query = <Row extends object>(statement: string, values: readonly unknown[] = []) =>
  target.ctx.db.query<Row>(statement, values);

const commentCounts = async ({ ctx }: ServiceTenant) => ({
  visible: await ctx.db.query('SELECT * FROM comment_counts'),
  byStatus: await ctx.db.query(
    'SELECT sum(approved) AS approved, sum(spam) AS spam FROM comment_status_counts',
  ),
});

describe('records that are written', () => {
  it.each(ownKinds)('of the kind %s are read as the same texts', async (kind) => {
    const lines = await readLines(target.ctx, 'op', kind);
    expect(lines).toEqual(await sourceLines(kind));
    expect(lines.length).toBeGreaterThan(0);
  });

  it('have the tables that the schema creates', async () => {
    const columns = `SELECT table_name, column_name, data_type, column_default, is_nullable
      FROM information_schema.columns
      WHERE table_schema = current_schema() AND starts_with(table_name, 'content_') ORDER BY 1, 2`;
    const indexes = `SELECT indexname, replace(indexdef, current_schema(), '') AS definition FROM pg_indexes
      WHERE schemaname = current_schema() AND starts_with(tablename, 'content_') ORDER BY 1`;
    for (const statement of [columns, indexes]) {
      const rows = await query(statement);
      expect(rows).toEqual(await source.ctx.db.query(statement));
      expect(rows.length).toBeGreaterThanOrEqual(20);
    }
  });

  it('have the lookup keys of redirects', async () => {
    const redirects = await query('SELECT source, source_key, prefix, hits FROM redirects ORDER BY id');
    expect(redirects).toEqual([
      { source: '/old', source_key: '/old', prefix: null, hits: 0 },
      { source: '/a/[...rest]', source_key: '/a/[...]', prefix: '/a/', hits: 0 },
    ]);
  });

  it('have the counts of comments', async () => {
    expect(await commentCounts(target)).toEqual(await commentCounts(source));
    expect((await commentCounts(target)).visible).toHaveLength(1);
  });

  it('have json exactly as it is stored at the source', async () => {
    const statements = [
      'SELECT id, extra::text FROM content_posts ORDER BY id',
      `SELECT id, (data -> 'extra')::text AS extra FROM revisions ORDER BY id`,
    ];
    for (const statement of statements)
      expect(await query(statement)).toEqual(await source.ctx.db.query(statement));
  });
});

describe('finishSiteRecords', () => {
  it('schedules the entries that wait for their publication', async () => {
    const schedules = await query(
      `SELECT entry_id, collection, scheduled_at, due_at, attempts FROM cms_content.schedules WHERE tenant_id = $1`,
      [target.tenant.id],
    );
    expect(schedules).toEqual([
      {
        entry_id: 'e-translation',
        collection: 'posts',
        scheduled_at: '2030-01-01T00:00:00.000Z',
        due_at: '2030-01-01T00:00:01.000Z',
        attempts: 0,
      },
    ]);
  });

  it('subscribes the subscribers of new collections, without a message for each entry', async () => {
    const triggers = await query<{ place: string }>(
      `SELECT c.relname AS place, count(*)::int AS count FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
       WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND starts_with(t.tgname, 'notify.media-usage.')
       GROUP BY 1 ORDER BY 1`,
    );
    expect(triggers).toEqual(
      ['content_empty', 'content_people', 'content_posts'].map((place) => ({ place, count: 3 })),
    );
    const jobs = await target.databases.shared().query(
      `SELECT DISTINCT job, message ->> 'collection' AS collection FROM outbox
         WHERE message ->> 'tenantId' = $1 ORDER BY 2`,
      [target.tenant.id],
    );
    expect(jobs).toEqual(
      ['empty', 'people', 'posts'].map((collection) => ({
        job: 'media-usage.sync-collection',
        collection,
      })),
    );
  });
});

describe('an imported site', () => {
  const { entries: deps, changes } = importDeps();
  const { definitions, locales } = deps;
  const post = { collection: 'posts', id: 'e-published' };

  it('keeps its site in normal operations on entries', async () => {
    const { item } = await getContent(target.ctx, deps, post);
    expect(item.data['title']).toBe('Draft');
    const data = { title: 'Changed', picture: null, attachment: null };
    await updateContent(target.ctx, deps, { ...post, data, seo: { image: null } });
    await publishContent(target.ctx, deps, post);
    const { item: published } = await getContent(target.ctx, deps, { ...post, id: 'new' });
    expect(published.status).toBe('published');
    expect(published.data['title']).toBe('Changed');
    const redirects = await query(`SELECT destination FROM redirects WHERE source = '/posts/e-published'`);
    expect(redirects).toEqual([{ destination: '/posts/new' }]);
  });

  it('takes a field', async () => {
    const field = createFieldBody.parse({ slug: 'later', label: 'Later', type: 'string', indexed: true });
    await createField(target.ctx, changes, { collection: 'posts', field });
    definitions.invalidate();
    await updateContent(target.ctx, deps, { collection: 'posts', id: 'e-adopted', data: { later: 'x' } });
    const { item } = await getContent(target.ctx, deps, { collection: 'posts', id: 'e-adopted' });
    expect(item.data['later']).toBe('x');
  });

  it('publishes an entry whose time has passed, once', async () => {
    const due = new Date('2020-01-01T00:00:00.000Z');
    const record = { ...entry, status: 'scheduled', scheduledAt: due.toISOString(), values: { title: 'T' } };
    const records = [JSON.stringify(record)];
    await writeSiteRecords(target.ctx, changes, { kind: 'entries', records, pass: 'records' });
    await finishSiteRecords(target.ctx, changes);
    const schedules = () =>
      query('SELECT collection FROM cms_content.schedules WHERE tenant_id = $1 AND entry_id = $2', [
        target.tenant.id,
        entry.id,
      ]);
    expect(await schedules()).toEqual([{ collection: 'posts' }]);
    const registry = { readOnlyReasonOf: () => Promise.resolve(undefined) };
    const scheduled = { collection: 'posts', entryId: entry.id, scheduledAt: timestampOf(due) };
    const publish = () =>
      publishScheduledEntryJob(target.ctx, { entryDeps: deps, registry }, scheduled as PublishScheduledEntry);
    expect(await publish()).toBe('published');
    expect(await schedules()).toEqual([]);
    await finishSiteRecords(target.ctx, changes);
    expect(await schedules()).toEqual([]);
  });

  it('moves a term', async () => {
    const moved = { name: 'category', slug: 'leaf', locale: 'en', update: { parentId: null } };
    expect((await updateTerm(target.ctx, locales.of(target.ctx), moved)).parentId).toBeNull();
  });

  it('links entries', async () => {
    const adopted = { collection: 'posts', id: 'e-adopted' };
    await updateContent(target.ctx, deps, { ...adopted, references: { related: ['e-published'] } });
    const { references } = await getContent(target.ctx, deps, adopted);
    expect(references['related']?.items.map(({ id }) => id)).toEqual(['e-published']);
  });
});

describe('clearSiteRecords', () => {
  it('leaves a site without records, which takes the same import again', async () => {
    await query(`INSERT INTO settings (key, value) VALUES ('formerSecret', '"x"')`);
    await query(
      `INSERT INTO cms_content.schedules (tenant_id, entry_id, collection, scheduled_at, due_at)
       VALUES ($1, 'beyond-a-step', 'posts', now(), now())`,
      [target.tenant.id],
    );
    const versions = () => query('SELECT id, version FROM collections ORDER BY id');
    const before = await versions();
    expect((await inspectSiteRecords(target.ctx)).blockers.length).toBeGreaterThan(20);
    const { changes } = importDeps();
    for (let time = 0; time < 2; time += 1)
      expect(await clearSiteRecords(target.ctx, changes)).toEqual({ isComplete: true });
    expect(await inspectSiteRecords(target.ctx)).toEqual({ blockers: [], scaffold: [] });
    expect(await query('SELECT key FROM settings')).toEqual([{ key: 'formerSecret' }]);
    expect(
      await query('SELECT 1 FROM cms_content.schedules WHERE tenant_id = $1', [target.tenant.id]),
    ).toEqual([]);
    expect((await stage(target.ctx)).counts).toEqual({});
    expect(await commentCounts(target)).toEqual({ visible: [], byStatus: [{ approved: null, spam: null }] });
    await importRecords(target.ctx, (kind) => sourceLines(kind));
    await stage(target.ctx);
    expect(await commentCounts(target)).toEqual(await commentCounts(source));
    for (const kind of ownKinds)
      expect(await readLines(target.ctx, 'op', kind)).toEqual(await sourceLines(kind));
    // Other processes may have definitions of the former collections.
    for (const collection of before) expect(await versions()).not.toContainEqual(collection);
  });

  it('makes an export fail that has begun and holds no lock yet', async () => {
    const { changes } = importDeps();
    const copied = target.ctx.db.transaction(async (tx) => {
      await beginStableRead(tx);
      await tx.query('SELECT now()');
      await clearSiteRecords(target.ctx, changes);
      await lockCollections(tx);
    });
    await expect(copied).rejects.toMatchObject({ code: '40001' });
    await importRecords(target.ctx, (kind) => sourceLines(kind));
  });

  it('deletes nothing for a process that has lost its lease', async () => {
    const { changes } = importDeps();
    const { counts } = await stage(target.ctx);
    const former = await fencingTokens.accept(target.ctx, 1);
    const present = await fencingTokens.accept(target.ctx, 2);
    await expect(clearSiteRecords(former, changes)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect((await stage(target.ctx)).counts).toEqual(counts);
    await clearSiteRecords(present, changes);
    expect((await stage(target.ctx)).counts).toEqual({});
    await importRecords(present, (kind) => sourceLines(kind));
    expect((await stage(target.ctx)).counts).toEqual(counts);
  });

  it('continues after an interruption', async () => {
    const { changes } = importDeps();
    await deleteCollection(target.ctx, changes, { slug: 'people', force: true });
    await clearSiteRecords(target.ctx, changes);
    expect((await inspectSiteRecords(target.ctx)).blockers).toEqual([]);
  });

  it('ends deletions in steps, which would delete rows of imported entries with the same ids', async () => {
    const { changes } = importDeps();
    await importRecords(target.ctx, (kind) => sourceLines(kind));
    await query(
      `INSERT INTO comments (id, collection, content_id, author_name, author_email, body, status)
       SELECT 'many-' || n, 'posts', 'e-published', 'A', 'a@a.example', 'x', 'pending' FROM generate_series(1, 1100) n`,
    );
    await deleteCollection(target.ctx, changes, { slug: 'posts', force: true });
    expect(await query('SELECT kind FROM deletions')).toEqual([{ kind: 'collection' }]);
    await clearSiteRecords(target.ctx, changes);
    await importRecords(target.ctx, (kind) => sourceLines(kind));
    expect(await finishDeletions(target.ctx, Number.POSITIVE_INFINITY)).toBe(true);
    await stage(target.ctx);
    for (const kind of ownKinds)
      expect(await readLines(target.ctx, 'op', kind)).toEqual(await sourceLines(kind));
  });
});
