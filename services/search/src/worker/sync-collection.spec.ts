import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { QuireError } from '@quire/errors';
import type { CollectionChanged } from '@quire/jobs';
import { SearchJobs } from './search.jobs.js';
import { openSearchSite, type SearchSite } from './search-site.fixture.js';

const tenantId = 'spec-of-sync-collection';
const message = { tenantId, collectionId: 'c1', collection: 'c1', deleted: false } as CollectionChanged;
let site: SearchSite;

beforeAll(async () => {
  site = await openSearchSite(tenantId);
});
beforeEach(() => site.reset());
afterAll(() => site.close());

describe('the job search.sync-collection', () => {
  it('leaves the reconciliation to the task runner while content is unavailable', async () => {
    await site.enable('c1');
    const unavailable = new QuireError('SERVICE_UNAVAILABLE', 'The service is unavailable.');
    site.content.beforeCollection = () => Promise.reject(unavailable);
    const warnings: object[] = [];
    const jobs = new SearchJobs(site.deps, { warn: (fields: object) => void warnings.push(fields) });
    expect(await jobs.syncCollection(site.ctx, message)).toBe('postponed');
    expect(warnings).toMatchObject([{ tenant: tenantId, collectionId: 'c1', err: unavailable }]);
    const tasks = await site.tasks();
    expect(tasks).toMatchObject([{ task: 'reconcile', collection: 'c1', attempts: 0 }]);
    expect(tasks[0]?.inSeconds).toBeLessThanOrEqual(2);
  });

  it('leaves no task when it has reconciled the index', async () => {
    await site.enable('c1');
    const jobs = new SearchJobs(site.deps, { warn: () => undefined });
    expect(await jobs.syncCollection(site.ctx, message)).toBe('unchanged');
    expect(await site.tasks()).toEqual([]);
  });
});
