import 'reflect-metadata';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { insertRow } from '@quire/database';
import { useFixture } from '@quire/testing';
import { ulid } from '@quire/values';
import { MediaItem } from '../../items/index.js';
import { discardSiteRecords, stageSiteRecords } from '../staging.operations.js';
import { clearSiteRecords } from './clear-site-records.js';
import { inspectSiteRecords } from './inspect-site-records.js';
import { openSiteMedia } from './site-media.fixture.js';

const site = useFixture(() => openSiteMedia('spec-of-clearing'), { lifetime: 'test' });
const clear = () => clearSiteRecords(site.target, site.notifier);
const tenantId = 'spec-of-clearing-target';
const count = async (table: string, condition = 'true') =>
  (await site.target.db.query(`SELECT 1 FROM ${table} WHERE ${condition}`)).length;

/** Writes a folder and two items, one in it. */
async function writeLibrary(): Promise<void> {
  await site.addItem('one', { folderId: await site.addFolder('Ferien') });
  await site.addItem('two');
  for (const kind of ['media_folders', 'media_items'] as const)
    await site.write(kind, await site.recordsOf(site.source, kind));
}

/** Stores an item that never became ready, as a declared upload does. */
async function declareUpload(status: 'pending' | 'failed'): Promise<string> {
  const id = ulid();
  const objectKey = await site.objects.reserveForItem(site.target, { afterSeconds: 3600, itemId: id });
  const file = { filename: 'a', mimeType: 'image/png', size: 1, storageKey: id, objectKey };
  await insertRow(site.target.db, MediaItem, { id, ...file, status });
  return objectKey;
}

describe('inspectSiteRecords', () => {
  it('finds no blockers in an empty library, nor in uploads without bytes', async () => {
    await declareUpload('pending');
    await declareUpload('failed');
    expect(await inspectSiteRecords(site.target)).toEqual({ blockers: [], scaffold: [] });
  });

  it('counts items and folders', async () => {
    await writeLibrary();
    expect(await inspectSiteRecords(site.target)).toEqual({
      blockers: [
        { kind: 'media_folders', count: 1 },
        { kind: 'media_items', count: 2 },
      ],
      scaffold: [],
    });
  });
});

describe('clearSiteRecords', () => {
  beforeEach(writeLibrary);

  it('deletes items, folders and objects, and may be repeated', async () => {
    expect(await clear()).toEqual({ isComplete: true });
    expect(site.invalidated).toEqual([tenantId]);
    expect(await clear()).toEqual({ isComplete: true });
    expect(await inspectSiteRecords(site.target)).toEqual({ blockers: [], scaffold: [] });
    await site.deleteScheduled();
    expect(await site.objectKeys()).toEqual([]);
  });

  it('deletes the variants of items', async () => {
    const [item] = await site.items();
    const variant = await site.objects.reserve(site.target, { afterSeconds: 0 });
    await site.objects.copy(item?.objectKey ?? '', variant);
    await site.target.db.query(
      `INSERT INTO media_variants (source_key, name, object_key, size) VALUES ($1, '640', $2, 3)`,
      [item?.objectKey, variant],
    );
    await clear();
    expect([await count('media_variants'), await site.scheduled()]).toEqual([
      0,
      expect.arrayContaining([variant]),
    ]);
  });

  it('deletes declared uploads; their objects are deleted at the time when no client can store bytes', async () => {
    const objectKey = await declareUpload('pending');
    expect(await clear()).toEqual({ isComplete: true });
    expect(await count('media_items')).toBe(0);
    const due = `object_key = '${objectKey}' AND due_at > now() + interval '50 minutes'`;
    expect(await count('cms_media.object_deletions', due)).toBe(1);
  });

  it('is complete after several calls when there is much to delete', async () => {
    await site.target.db.query(
      `INSERT INTO media_folders (id, name, name_key, name_digest)
       SELECT n, n, n, n FROM (SELECT generate_series(1, 1000)::text AS n) numbers`,
    );
    expect(await clear()).toEqual({ isComplete: false });
    expect(await clear()).toEqual({ isComplete: true });
    expect(await count('media_folders')).toBe(0);
  });

  it('leaves the objects that an export keeps', async () => {
    const kept = (await site.items()).map(({ objectKey }) => objectKey).sort();
    await stageSiteRecords(site.target, { operationId: 'export', comments: true });
    await clear();
    await site.deleteScheduled();
    expect(await site.objectKeys()).toEqual(kept);
    await discardSiteRecords(site.target, { operationId: 'export', keepsFiles: false });
    await site.deleteScheduled();
    expect(await site.objectKeys()).toEqual([]);
  });

  it('deletes the usage index and its pending work, and leaves the activation', async () => {
    const { db } = site.target;
    await db.query(`UPDATE usage_activation SET state = 'active'`);
    await db.query(`INSERT INTO media_usage_entries (collection_id, content_id, collection_slug, locale, status, digest)
      SELECT 'c1', n::text, 'posts', 'en', 'draft', '' FROM generate_series(1, 1001) n`);
    await db.query(`INSERT INTO media_usage_sources (media_id, collection_id, content_id, variant, occurrences)
      VALUES ('m', 'c1', '1', 'content', '[]')`);
    await db.query(
      `INSERT INTO media_usage_coverage (collection_id, collection_slug, status) VALUES ('c1', 'posts', 'complete')`,
    );
    for (const [table, more] of [
      ['usage_work', ['content_id', 'state']],
      ['usage_deletions', ['state', 'phase']],
      ['usage_rebuilds', []],
    ] as const)
      await db.query(
        `INSERT INTO cms_media.${table} (${['tenant_id', 'collection_id', 'collection_slug', ...more].join()})
         VALUES ('${tenantId}', 'c1', 'posts'${more.map(() => `, 'retry'`).join('')})`,
      );
    expect(await clear()).toEqual({ isComplete: false });
    expect(await clear()).toEqual({ isComplete: true });
    for (const table of ['media_usage_entries', 'media_usage_sources', 'media_usage_coverage'])
      expect([table, await count(table)]).toEqual([table, 0]);
    for (const table of ['usage_work', 'usage_deletions', 'usage_rebuilds'])
      expect([table, await count(`cms_media.${table}`, `tenant_id = '${tenantId}'`)]).toEqual([table, 0]);
    expect(await count('usage_activation', `state = 'active'`)).toBe(1);
  });

  it('is followed by a write of the same records', async () => {
    await clear();
    const items = await site.recordsOf(site.source, 'media_items');
    await site.write('media_folders', await site.recordsOf(site.source, 'media_folders'));
    await site.write('media_items', items);
    await site.deleteScheduled();
    expect(await site.recordsOf(site.target, 'media_items')).toEqual(items);
    expect(await site.objectKeys()).toHaveLength(2);
  });
});
