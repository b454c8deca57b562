import 'reflect-metadata';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { contentApi } from '@quire/internal-api';
import { createLogger } from '@quire/observability';
import { eventually, useFixture } from '@quire/testing';
import {
  deleteCollectionUsage,
  UsageDeps,
  usageRunners,
  type ContentReferencesClient,
} from '../../usage/index.js';
import { openSiteMedia } from './site-media.fixture.js';
import { finishSiteRecords } from './writing.operations.js';

const logger = createLogger({ level: 'silent', targets: ['spec'] });
const site = useFixture(() => openSiteMedia('spec-of-finishing'), { lifetime: 'test' });
const collections = ['pages', 'posts'].map((slug) => ({ id: `c-${slug}`, slug }));

/** A content service with one entry in each collection, which uses a media item. */
class FakeContent implements Partial<ContentReferencesClient> {
  readonly subscribed: string[] = [];

  collections = () => Promise.resolve(collections);

  subscribe = (_: unknown, collection: string) => {
    this.subscribed.push(collection);
    return Promise.resolve();
  };

  references: ContentReferencesClient['references'] = (_, { collection }) => {
    const reference = {
      mediaId: 'm1',
      fieldSlug: 'image',
      fieldPath: 'image',
      occurrenceIndex: 0,
      referenceType: 'image_field' as const,
    };
    const entry = {
      id: 'e1',
      title: null,
      slug: null,
      locale: 'en',
      status: 'published',
      scheduledAt: null,
      deletedAt: null,
      sources: { columns: [reference], draft_overlay: null },
    };
    return Promise.resolve({
      collection: { id: `c-${collection}`, slug: collection, shape: 's' },
      entries: [entry],
      next: null,
    });
  };
}

let content: FakeContent;
let usage: UsageDeps;
beforeEach(() => {
  content = new FakeContent();
  usage = new UsageDeps(content as unknown as ContentReferencesClient, logger);
});
const activate = () => site.target.db.query(`UPDATE usage_activation SET state = 'active'`);
const finish = () => finishSiteRecords(site.target, { notifier: site.notifier, usage });
const coverage = () =>
  site.target.db.query<{ id: string; status: string; isTracked: boolean }>(
    `SELECT collection_id AS id, status, is_tracked AS "isTracked" FROM media_usage_coverage ORDER BY id`,
  );
const requests = (table: 'usage_rebuilds' | 'usage_deletions') =>
  site.target.db.query(
    `SELECT collection_id AS id, collection_slug AS slug FROM cms_media.${table} WHERE tenant_id = $1 ORDER BY id`,
    [site.target.principal.tenant.id],
  );

/** Lets the runners process what is requested. */
async function runRequests(): Promise<void> {
  const runners = Object.values(
    usageRunners({
      databases: [site.target.db],
      usageDeps: usage,
      contextOf: () => Promise.resolve(site.target),
      logger,
    }),
  );
  for (const runner of runners) runner.start();
  const left = async () => [...(await requests('usage_rebuilds')), ...(await requests('usage_deletions'))];
  const rows = await eventually(left, ({ length }) => length === 0);
  await Promise.all(runners.map((runner) => runner.stop()));
  expect(rows).toEqual([]);
}

describe('finishSiteRecords', () => {
  it('invalidates the cached files of the site', async () => {
    await finish();
    expect(site.invalidated).toEqual([site.target.principal.tenant.id]);
  });

  it('requests no index while media usage is not activated', async () => {
    await finish();
    expect([await coverage(), await requests('usage_rebuilds'), content.subscribed]).toEqual([[], [], []]);
  });

  it('requests the index of all collections, which the runners complete', async () => {
    await activate();
    await finish();
    await finish();
    expect(await requests('usage_rebuilds')).toEqual(collections);
    expect(await coverage()).toEqual(collections.map(({ id }) => ({ id, status: 'never', isTracked: true })));
    expect(content.subscribed).toEqual([contentApi.newCollections, contentApi.newCollections]);
    await runRequests();
    expect(await coverage()).toEqual(
      collections.map(({ id }) => ({ id, status: 'complete', isTracked: true })),
    );
    expect([...content.subscribed.slice(2)].sort()).toEqual(['pages', 'posts']);
    expect(await site.target.db.query('SELECT 1 FROM media_usage_sources')).toHaveLength(2);
  });

  it('makes a former index stale until it is built again', async () => {
    await activate();
    await finish();
    await runRequests();
    await finish();
    expect((await coverage()).map(({ status }) => status)).toEqual(['stale', 'stale']);
    await runRequests();
    expect((await coverage()).map(({ status }) => status)).toEqual(['complete', 'complete']);
  });

  it('loses no index to the late deletion of a collection that exists again', async () => {
    await activate();
    await finish();
    await runRequests();
    const [posts] = collections.slice(-1);
    await deleteCollectionUsage(site.target, usage, posts ?? { id: '', slug: '' });
    expect(await requests('usage_deletions')).toEqual([]);
    expect(await site.target.db.query('SELECT 1 FROM media_usage_sources')).toHaveLength(2);
  });

  it('deletes the index of collections that the site no longer has', async () => {
    await site.target.db.query(
      `INSERT INTO media_usage_entries (collection_id, content_id, collection_slug, locale, status, digest)
       VALUES ('gone', 'e', 'posts', 'en', 'draft', '')`,
    );
    await finish();
    expect(await requests('usage_deletions')).toEqual([{ id: 'gone', slug: 'posts' }]);
    await runRequests();
    expect(await site.target.db.query('SELECT 1 FROM media_usage_entries')).toEqual([]);
  });
});
