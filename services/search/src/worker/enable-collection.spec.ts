import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { QuireError } from '@quire/errors';
import type { CollectionChanged } from '@quire/jobs';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import type { ContentClient, SubscriptionOptions } from '../clients/index.js';
import { searchTables } from '../migrations/index.js';
import type { SearchDeps } from '../search-deps.js';
import { searchEntities } from '../search.module.js';
import { SearchJobs } from './search.jobs.js';

const tenantId = 'spec-of-enable-collection';
const inUse = new QuireError('SERVICE_UNAVAILABLE', 'The collection is in use. Retry later.');
const message = { tenantId, collectionId: 'c1', collection: 'posts', deleted: false } as CollectionChanged;
let search: ServiceTenant;

beforeAll(async () => {
  search = await openServiceTenant(tenantId, 'search', searchTables, searchEntities);
});
beforeEach(async () => {
  await search.ctx.db.query('DELETE FROM search_collections');
  await search.ctx.db.query('DELETE FROM cms_search.search_tasks WHERE tenant_id = $1', [tenantId]);
});
afterAll(() => search.close());

/** A content service whose writers keep a collection locked. */
class BusyContent implements Partial<ContentClient> {
  readonly subscriptions: (SubscriptionOptions | undefined)[] = [];

  constructor(private readonly isReachable: boolean) {}

  collection: ContentClient['collection'] = () =>
    this.isReachable
      ? Promise.resolve({ id: 'c1', hidden: false, fields: ['title'] } as never)
      : Promise.reject(inUse);

  setSubscription: ContentClient['setSubscription'] = (_ctx, _slug, _isSubscribed, options) => {
    this.subscriptions.push(options);
    return Promise.reject(inUse);
  };
}

const enable = (content: BusyContent) =>
  new SearchJobs({ content } as unknown as SearchDeps, { warn: () => undefined }).enableCollection(
    search.ctx,
    message,
  );
const dueTasks = () =>
  search.ctx.db.query(
    `SELECT task, attempts, due_at < now() + interval '5 seconds' AS "isSoon" FROM cms_search.search_tasks
     WHERE tenant_id = $1`,
    [tenantId],
  );

describe('the job search.enable-collection', () => {
  it('leaves the rest to the task runner while an import keeps the collection locked', async () => {
    const content = new BusyContent(true);
    expect(await enable(content)).toBe('postponed');
    expect(content.subscriptions).toEqual([{ isBackground: true }]);
    expect(await search.ctx.db.query('SELECT slug, enabled FROM search_collections')).toEqual([
      { slug: 'posts', enabled: true },
    ]);
    expect(await dueTasks()).toEqual([{ task: 'reconcile', attempts: 0, isSoon: true }]);
  });

  it('enables no other collection that has the slug by now', async () => {
    const content = new BusyContent(true);
    const jobs = new SearchJobs({ content } as unknown as SearchDeps, { warn: () => undefined });
    expect(await jobs.enableCollection(search.ctx, { ...message, collectionId: 'c0' })).toBe('deleted');
    expect(await search.ctx.db.query('SELECT 1 FROM search_collections')).toEqual([]);
  });

  it('is retried by its queue when nothing is stored', async () => {
    await expect(enable(new BusyContent(false))).rejects.toBe(inUse);
    expect(await dueTasks()).toEqual([]);
  });
});
