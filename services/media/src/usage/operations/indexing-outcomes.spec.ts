import 'reflect-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { contentApi } from '@quire/internal-api';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { ulid } from '@quire/values';
import { mediaEntities } from '../../media.module.js';
import { mediaTables } from '../../migrations/index.js';
import type { ContentReferencesClient } from '../content-references.client.js';
import { selectCollectionCoverage, trackCollection } from '../usage-coverage.repository.js';
import { countUsage } from '../usage-index.repository.js';
import { UsageDeps } from '../usage-deps.js';
import { selectWorkItem, usageWork } from '../usage-work.repository.js';
import { indexChangedEntry, indexLeasedEntry } from './index-entry.js';
import { repairCollection } from './repair-collection.js';

const away = () => new QuireError('SERVICE_UNAVAILABLE', 'Content cannot be asked');
const usedItem = 'ITEM';

let media: ServiceTenant;
let ctx: Context;
let collection: { id: string; slug: string };
/** Responses of content for the pages of the collection. The last one is repeated. */
let pages: (() => contentApi.MediaReferencesPage | Promise<contentApi.MediaReferencesPage>)[];

const content = {
  subscribe: () => Promise.resolve(),
  references: async (_: Context, query: object) => {
    // The first request reads only the collection.
    const isAboutShape = 'limit' in query && query.limit === 1;
    const answer = isAboutShape || pages.length === 1 ? pages[0] : pages.shift();
    if (!answer) throw new Error('The test has no response of content');
    return answer();
  },
  referencesOf: (_: Context, slug: string, id: string) =>
    content.references(_, { collection: slug, ids: [id] }),
} as unknown as ContentReferencesClient;
const deps = new UsageDeps(content, { warn: () => undefined });

function entry(id: string): contentApi.EntryMediaReferences {
  const reference = {
    mediaId: usedItem,
    fieldSlug: 'hero',
    fieldPath: 'hero',
    occurrenceIndex: 0,
    referenceType: 'image_field',
  } as const;
  return {
    id,
    title: id,
    slug: id,
    locale: 'en',
    status: 'draft',
    scheduledAt: null,
    deletedAt: null,
    sources: { columns: [reference], draft_overlay: null },
  };
}
const page = (ids: string[], { next = null, id = collection.id, shape = 'a' }: PageChanges = {}) => ({
  collection: { id, slug: collection.slug, shape },
  entries: ids.map(entry),
  next,
});
interface PageChanges {
  next?: string | null;
  id?: string;
  shape?: string;
}
const count = async () => (await countUsage(ctx.db, media.tenant, [usedItem])).get(usedItem) ?? 0;

beforeAll(async () => {
  media = await openServiceTenant('spec-of-usage', 'media', mediaTables, mediaEntities);
  ctx = media.ctx;
});
beforeEach(async () => {
  collection = { id: ulid(), slug: `c${ulid().toLowerCase()}` };
  await ctx.db.query('DELETE FROM media_usage_entries');
});
afterAll(() => media.close());

describe('a repair (document 1, Media 8)', () => {
  const repair = () => repairCollection(ctx, deps, collection);

  it('is complete when content responds', async () => {
    pages = [() => page(['1', '2'], { next: '2' }), () => page(['3'])];
    expect(await repair()).toMatchObject({ status: 'complete', indexedSourceCount: 3, lastErrorCode: null });
    expect(await count()).toBe(3);
  });

  it('fails when content never responds, and keeps the index', async () => {
    pages = [() => page(['1'])];
    await repair();
    pages = [() => Promise.reject(away())];
    expect(await repair()).toMatchObject({
      status: 'failed',
      indexedSourceCount: 0,
      lastErrorCode: 'CONTENT_UNAVAILABLE',
    });
    expect(await count()).toBe(1);
    expect(await selectCollectionCoverage(ctx.db, collection.id)).toMatchObject({ status: 'failed' });
  });

  it('is partial with its counts when content fails in between', async () => {
    pages = [() => page(['1', '2'], { next: '2' }), () => Promise.reject(away())];
    expect(await repair()).toMatchObject({
      status: 'partial',
      indexedSourceCount: 2,
      lastErrorCode: 'CONTENT_UNAVAILABLE',
    });
    expect(await count()).toBe(2);
  });

  it('retries when content fails transiently', async () => {
    let stumbles = 2;
    pages = [
      () => {
        stumbles -= 1;
        return stumbles >= 0 ? Promise.reject(away()) : page(['1']);
      },
    ];
    expect(await repair()).toMatchObject({ status: 'complete', indexedSourceCount: 1 });
  });

  it('reports a collection that was replaced by another one', async () => {
    pages = [() => page(['1'], { next: '1' }), () => page(['2'], { id: 'another' })];
    expect(await repair()).toMatchObject({ status: 'partial', lastErrorCode: 'COLLECTION_GONE' });
    pages = [() => page([], { id: 'another' })];
    expect(await repair()).toMatchObject({ status: 'failed', lastErrorCode: 'COLLECTION_GONE' });
  });

  it('is stale when the fields change during the repair', async () => {
    pages = [() => page(['1'], { next: '1' }), () => page(['2'], { shape: 'b' })];
    expect(await repair()).toMatchObject({ status: 'stale', lastErrorCode: null });
  });

  it('is superseded by a newer one of the same collection', async () => {
    let newer: Promise<{ status: string }> | undefined;
    pages = [
      () => page(['1'], { next: '1' }),
      async () => {
        pages = [() => page(['1', '2'])];
        newer ??= repair();
        await newer;
        return page(['2']);
      },
    ];
    expect(await repair()).toMatchObject({ status: 'stale', lastErrorCode: 'REPAIR_SUPERSEDED' });
    expect(await newer).toMatchObject({ status: 'complete', indexedSourceCount: 2 });
  });

  it('skips entries that the worker indexes during the repair', async () => {
    pages = [
      () => page(['1'], { next: '1' }),
      async () => {
        pages = [() => page(['2'])];
        const address = { collectionId: collection.id, collectionSlug: collection.slug, contentId: '2' };
        expect(await indexChangedEntry(ctx, deps, address)).toBe('indexed');
        return page(['2', '3']);
      },
    ];
    expect(await repair()).toMatchObject({
      status: 'complete',
      indexedSourceCount: 2,
      skippedSourceCount: 1,
    });
  });
});

describe('an indexed entry', () => {
  const index = (id: string) =>
    indexChangedEntry(ctx, deps, {
      collectionId: collection.id,
      collectionSlug: collection.slug,
      contentId: id,
    });
  /** The transactions that wrote the rows of the index. */
  const writers = () => ctx.db.query('SELECT content_id, xmin::text FROM media_usage_entries');

  beforeEach(() => trackCollection(ctx.db, collection));

  it('is not written again while its references are the same', async () => {
    pages = [() => page(['1'])];
    expect(await index('1')).toBe('indexed');
    const written = await writers();
    expect(await index('1')).toBe('indexed');
    expect(await writers()).toEqual(written);
    pages = [() => ({ ...page([]), entries: [{ ...entry('1'), title: 'Renamed' }] })];
    expect(await index('1')).toBe('indexed');
    expect(await writers()).not.toEqual(written);
  });

  it('is removed when it has no references to media any more', async () => {
    pages = [() => page(['1'])];
    await index('1');
    pages = [
      () => ({ ...page([]), entries: [{ ...entry('1'), sources: { columns: [], draft_overlay: null } }] }),
    ];
    expect(await index('1')).toBe('indexed');
    expect(await writers()).toEqual([]);
  });
});

describe('failed work (document 1, Media 10)', () => {
  const address = () => ({ collectionId: collection.id, collectionSlug: collection.slug, contentId: '1' });
  const work = async () => (await selectWorkItem(ctx.db, media.tenant, address()))?.item;
  const waitsSeconds = async () => {
    const item = await work();
    return Math.round((Date.parse(item?.nextAttemptAt ?? '') - Date.parse(item?.updatedAt ?? '')) / 1000);
  };
  /**
   * Claims work like the runner, long after it was due: due times are rounded to milliseconds, so "now" may be half a
   * millisecond ahead.
   */
  async function tryAgain() {
    await ctx.db.query(
      "UPDATE cms_media.usage_work SET due_at = now() - interval '1 hour' WHERE collection_id = $1",
      [collection.id],
    );
    const due = await usageWork.claim(media.databases.shared(null), 100);
    const leased = due.find(({ collectionId }) => collectionId === collection.id);
    return leased && indexLeasedEntry(ctx, deps, leased);
  }

  beforeEach(() => trackCollection(ctx.db, collection));

  it('is retried with growing pauses, and after eight attempts only on request', async () => {
    pages = [() => Promise.reject(away())];
    expect(await indexChangedEntry(ctx, deps, address())).toBe('failed');
    const states: unknown[] = [];
    const delays: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      const item = await work();
      states.push([item?.state, item?.attemptCount, item?.lastErrorCode]);
      delays.push(await waitsSeconds());
      await tryAgain();
    }
    const retried = [1, 2, 3, 4, 5, 6, 7].map((attempt) => ['retry', attempt, 'CONTENT_UNAVAILABLE']);
    expect(states).toEqual([...retried, ['failed', 8, 'CONTENT_UNAVAILABLE']]);
    expect(delays.slice(0, 7)).toEqual([2, 4, 8, 16, 32, 64, 128]);
    expect(await tryAgain()).toBeUndefined();
  });

  it('completes when content is available again', async () => {
    pages = [() => Promise.reject(away())];
    await indexChangedEntry(ctx, deps, address());
    pages = [() => page(['1'])];
    expect(await tryAgain()).toBe('indexed');
    expect([await work(), await count()]).toEqual([undefined, 1]);
  });

  it('has another error code for a failure other than of content', async () => {
    pages = [() => Promise.reject(new Error('A fault'))];
    await indexChangedEntry(ctx, deps, address());
    expect(await work()).toMatchObject({ state: 'retry', lastErrorCode: 'INDEX_FAILED' });
  });
});
