import 'reflect-metadata';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TransactionalDatabase } from '@quire/database';
import { apiTargets } from '@quire/topology';
import { clientOf, openInstallation, type TestInstallation } from '../installation.fixture.js';
import { databasesOf } from '../services.js';

let test: TestInstallation;
let sql: TransactionalDatabase;
let lines: string[];

/** Runs the command. @returns its lines, without the name of the site */
async function reconcile(options: Record<string, boolean> = {}): Promise<string[]> {
  const { adminService, installation } = test;
  lines = [];
  const print = async (line: string) => void lines.push(line.replace('default: ', ''));
  const last = await test.run('reconcile', { tenant: 'default', ...options }, [], {
    adminService,
    installation,
    print,
  });
  return [...lines, last];
}

const nothing = ['Nothing to reconcile'];
const done = 'Done: workers rebuild indexes in the background';

beforeAll(async () => {
  test = await openInstallation('reconcile');
  const running = await test.start(apiTargets);
  const token = await test.adminService.createToken({ tenant: 'default', role: 'admin', scopes: [] });
  const call = clientOf(running, token);
  await call('POST', '/schema/collections', { slug: 'posts', label: 'Posts' });
  const title = { slug: 'title', label: 'Title', type: 'string', searchable: true };
  await call('POST', '/schema/collections/posts/fields', title);
  await call('POST', '/search/enable', { collection: 'posts', enabled: true });
  await running.stop();
  sql = (await databasesOf(test.installation, 'content')).tenant({ id: 'default', database: null });
});
afterAll(() => test.close());
beforeEach(async () => {
  await reconcile();
});

/** An entry with a time for its publication, and no schedule. */
const addScheduled = (id: string) =>
  sql.query(
    `INSERT INTO content_posts (id, slug, _locale, _translation_group, scheduled_at)
     VALUES ($1, $1, 'en', $1, '2099-01-01')`,
    [id],
  );
const schedules = () =>
  sql.query(
    `SELECT entry_id AS entry, scheduled_at AS at, due_at AS due FROM cms_content.schedules ORDER BY entry_id`,
  );

describe('cms reconcile', () => {
  it('finds nothing in a site that is in line', async () => {
    expect(await reconcile()).toEqual(nothing);
  });

  it('makes schedules those of the entries', async () => {
    await addScheduled('missing');
    await addScheduled('outdated');
    await sql.query(
      `INSERT INTO cms_content.schedules (tenant_id, entry_id, collection, scheduled_at, due_at, attempts)
       VALUES ('default', 'outdated', 'posts', '2098-01-01', '2098-01-01', 7), ('default', 'extra', 'posts', now(), now(), 0)`,
    );
    const found = ['missing schedules: 1', 'schedules at another time: 1', 'schedules without an entry: 1'];
    expect(await reconcile({ 'dry-run': true })).toEqual([...found, 'Nothing was changed']);
    expect(await reconcile()).toEqual([...found, done]);
    const at = '2099-01-01T00:00:00.000Z';
    const due = '2099-01-01T00:00:01.000Z';
    expect(await schedules()).toEqual([
      { entry: 'missing', at, due },
      { entry: 'outdated', at, due },
    ]);
    expect(await reconcile()).toEqual(nothing);
  });

  it.each([
    [
      'deletions',
      "INSERT INTO deletions (kind, id) VALUES ('collection', 'c')",
      'DELETE FROM cms_content.deletion_work',
      'deletions without work: 1',
    ],
    [
      'imports that run',
      `INSERT INTO imports (id, source, site, state, phase, config, channel, counts, requested_by)
       VALUES ('i', 'wxr', 's', 'running', 'entries', '{}', '{}', '{}', 'u')`,
      'DELETE FROM cms_transfer.import_steps',
      'imports without work: 1',
    ],
    [
      'transfers that run',
      `INSERT INTO transfer_operations (id, kind, state, options, cursor, created_by)
       VALUES ('t', 'export', 'running', '{}', '{}', 'u')`,
      'DELETE FROM cms_transfer.transfer_steps',
      'transfers without work: 1',
    ],
    [
      'downloads',
      `WITH begun AS (INSERT INTO media_imports (id, list_hash, state, total) VALUES ('m', 'h', 'running', 1) RETURNING id)
       INSERT INTO media_downloads (import_id, number, url, state, item_id)
       SELECT id, 1, 'https://media.example/a.png', 'pending', 'x' FROM begun`,
      'DELETE FROM cms_transfer.media_download_tasks',
      'downloads without work: 1',
    ],
    [
      'unconfirmed uploads',
      `INSERT INTO media_items (id, filename, mime_type, size, storage_key, object_key, status)
       VALUES ('p', 'p', 'image/png', 1, 'p', 'default/pending', 'pending')`,
      'DELETE FROM cms_media.object_deletions',
      'uploads without an end: 1',
    ],
  ])('makes the work of %s again, once', async (_, insert, lose, line) => {
    await sql.query(insert);
    expect(await reconcile()).toEqual([line, done]);
    expect(await reconcile()).toEqual(nothing);
    await sql.transaction((tx) => tx.query(lose));
    expect(await reconcile()).toEqual([line, done]);
  });

  it('makes sure that search indexes are reconciled, and rebuilds all with --rebuild', async () => {
    await sql.query("DELETE FROM cms_search.search_tasks WHERE tenant_id = 'default'");
    expect(await reconcile()).toEqual(['search indexes without work: 1', done]);
    expect(await reconcile()).toEqual(nothing);
    expect(await reconcile({ rebuild: true })).toEqual(['search indexes to rebuild: 1', done]);
    expect(await sql.query('SELECT fingerprint FROM search_generations')).toEqual([{ fingerprint: '' }]);
  });

  it('requests the index of media usage where its repair is lost', async () => {
    await sql.query(
      `INSERT INTO media_usage_coverage (collection_id, collection_slug, status, is_tracked)
       VALUES ('c', 'posts', 'stale', true), ('d', 'others', 'complete', true), ('e', 'untracked', 'stale', false)`,
    );
    expect(await reconcile()).toEqual(['media usage indexes to rebuild: 1', done]);
    expect(await reconcile()).toEqual(nothing);
    expect(await reconcile({ rebuild: true })).toEqual([
      'media usage indexes to rebuild: 2',
      'search indexes to rebuild: 1',
      done,
    ]);
  });

  it('lists missing files and deletes rows of variants and, on request, files without a row', async () => {
    const store = await test.installation.objectStore();
    const put = (key: string) =>
      store.put(key, Readable.from([Buffer.from('abc')]), { contentType: 'image/png' });
    await sql.query(
      `INSERT INTO media_items (id, filename, mime_type, size, storage_key, object_key, status)
       VALUES ('a', 'a', 'image/png', 3, 'a', 'default/a', 'ready'), ('z', 'z', 'image/png', 3, 'z', 'default/z', 'ready')`,
    );
    await sql.query(
      `INSERT INTO media_variants (source_key, name, object_key, size) VALUES ('default/a', 'w', 'default/lost', 1)`,
    );
    await sql.query(
      `INSERT INTO cms_media.object_deletions (object_key, tenant_id, due_at)
       VALUES ('default/a', 'default', now() + interval '1 hour')`,
    );
    for (const key of ['default/a', 'default/old', 'default/young']) await put(key);
    const before = new Date(Date.now() - 25 * 3_600_000);
    await utimes(await pathOf('old'), before, before);
    const lost = 'lost image variants, made again on demand: 1';
    const missing = 'missing media files: 1 (default/z)';
    const orphans = 'media files that no row names: 1 (default/old)';
    expect(await reconcile()).toEqual(['deletions of objects in use: 1', missing, orphans, lost, done]);
    expect(await reconcile({ 'delete-orphans': true, 'dry-run': true })).toEqual([
      missing,
      orphans,
      'Nothing was changed',
    ]);
    expect(await reconcile({ 'delete-orphans': true })).toEqual([missing, orphans, done]);
    const left: string[] = [];
    for await (const { key } of store.list('default/')) left.push(key);
    expect(left).toEqual(['default/a', 'default/young']);
    await put('default/z');
    expect(await reconcile()).toEqual(nothing);
  });
});

/** Where the local store has an object. */
async function pathOf(name: string): Promise<string> {
  const folder = join(test.environment.CMS_DATA_DIR, 'media', 'default');
  for (const part of await readdir(folder)) {
    const found = (await readdir(join(folder, part))).find((file) => file.includes(name));
    if (found) return join(folder, part, found);
  }
  throw new Error(`There is no file of ${name}`);
}
