import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { connectSearchEngine, type SearchEngine } from '@quire/search-engine';
import { createLogger } from '@quire/observability';
import { eventually, openServiceTenant, testMeilisearch, useFixture } from '@quire/testing';
import type { ContentClient } from '../../clients/index.js';
import { searchTables } from '../../migrations/index.js';
import { SearchDeps } from '../../search-deps.js';
import { searchEntities } from '../../search.module.js';
import { search } from '../../search/search.operations.js';
import { searchTaskRunner } from '../../worker/index.js';
import { readSiteRecords, stageSiteRecords } from '../staging.operations.js';
import {
  clearSiteRecords,
  finishSiteRecords,
  inspectSiteRecords,
  writeSiteRecords,
} from './writing.operations.js';

const collections = ['pages', 'posts'].map((slug) => ({ id: `c-${slug}`, slug }));
/** Meilisearch has its own pace. */
const timeoutMs = 60_000;
const logger = createLogger({ level: 'silent', targets: ['spec'] });

/** A content service with one published entry in each collection. */
class FakeContent implements Partial<ContentClient> {
  readonly subscriptions: [string, boolean][] = [];
  text = 'window';

  collections = () => Promise.resolve(collections);

  collection: ContentClient['collection'] = (_, slug) => Promise.resolve(this.describe(slug));

  setSubscription: ContentClient['setSubscription'] = (_, slug, isSubscribed) => {
    this.subscriptions.push([slug, isSubscribed]);
    return Promise.resolve();
  };

  count = () => Promise.resolve({ published: 1, all: 1 });

  page: ContentClient['page'] = (_, slug, after) =>
    Promise.resolve({ ...this.response(slug), documents: after === null ? [this.document()] : [] });

  private response(slug: string) {
    return { version: 1, collection: this.describe(slug), removed: [], left: [] };
  }

  private describe(slug: string) {
    return {
      id: `c-${slug}`,
      slug,
      hidden: false,
      titleField: 'title',
      fields: ['title', 'body'],
      fingerprint: 'f',
    };
  }

  private document() {
    const view = { slug: 'e', title: this.text, fields: { body: 'floor' } };
    return {
      id: 'e1',
      version: 1,
      locale: 'en',
      views: [{ ...view, statuses: ['published', 'all'] as ('published' | 'all')[] }],
    };
  }
}

async function openSearch(name: string, meilisearch?: ReturnType<typeof testMeilisearch>) {
  const tenant = await openServiceTenant(name, 'search', searchTables, searchEntities);
  const namespace = `test_${randomUUID().slice(0, 8)}`;
  const engine: SearchEngine = connectSearchEngine({ meilisearch, namespace });
  const content = new FakeContent();
  const deps = new SearchDeps(engine, content as unknown as ContentClient);
  const { ctx } = tenant;
  return {
    ctx,
    deps,
    content,
    write: (...records: string[]) =>
      writeSiteRecords(ctx, deps, {
        operationId: 'op',
        kind: 'search_collections',
        records,
        pass: 'records',
        mediaPrefix: '',
      }),
    async records() {
      await stageSiteRecords(ctx, { operationId: 'copies', comments: true });
      const page = { kind: 'search_collections', after: 0, maxRecords: 100, maxBytes: 1_000_000 } as const;
      return (await readSiteRecords(ctx, { operationId: 'copies', ...page })).lines;
    },
    tasks: () =>
      ctx.db.query<{ id: string }>(
        'SELECT collection_id AS id FROM cms_search.search_tasks WHERE tenant_id = $1 ORDER BY id',
        [name],
      ),
    /** Collections with hits. */
    async found(q: string) {
      const { items } = await search(ctx, deps, { q, limit: 10, status: 'published' } as never);
      return items.map(({ collection }) => collection).sort();
    },
    /** Lets the runner process tasks until all indexes are built. */
    async runTasks() {
      const runner = searchTaskRunner({
        databases: [ctx.db],
        searchDeps: deps,
        contextOf: () => Promise.resolve(ctx),
        logger,
      });
      const unbuilt = () =>
        ctx.db.query('SELECT slug FROM search_collections WHERE enabled AND live_generation IS NULL');
      runner.start();
      const left = await eventually(unbuilt, ({ length }) => length === 0, timeoutMs);
      await runner.stop();
      expect(left).toEqual([]);
    },
    async close() {
      await deps.indexesOf(ctx).dropAll();
      await tenant.close();
      await engine.close();
    },
  };
}

const settings = (id: string, changes: object = {}) =>
  JSON.stringify({ collectionId: id, enabled: true, tokenizer: 'porter unicode61', weights: {}, ...changes });

describe.each([
  ['postgres', () => undefined],
  ['meilisearch', () => testMeilisearch()],
])('search settings of a package with the engine %s', (kind, server) => {
  const site = useFixture(() => openSearch(`spec-of-search-records-${kind}`, server()), { lifetime: 'test' });

  it('are those of the site, which finds its entries once the tasks of finish are done', async () => {
    const records = [
      settings('c-pages', { tokenizer: 'trigram', weights: { title: 2.5, body: 10 } }),
      settings('c-posts'),
    ];
    await site.write(...records);
    expect(await site.records()).toEqual(records);
    expect([await site.tasks(), await site.found('window')]).toEqual([[], []]);
    await finishSiteRecords(site.ctx);
    await finishSiteRecords(site.ctx);
    expect(await site.tasks()).toEqual(collections.map(({ id }) => ({ id })));
    await site.runTasks();
    expect(await site.found('window')).toEqual(['pages', 'posts']);
    expect(site.content.subscriptions.sort()).toEqual([
      ['pages', true],
      ['posts', true],
    ]);
    expect(await site.records()).toEqual(records);
  });

  it('are deleted with their indexes and tasks, and may be written again', async () => {
    await site.write(settings('c-pages'), settings('c-posts'));
    await finishSiteRecords(site.ctx);
    await site.runTasks();
    expect(await clearSiteRecords(site.ctx, site.deps)).toEqual({ isComplete: true });
    expect(await clearSiteRecords(site.ctx, site.deps)).toEqual({ isComplete: true });
    expect([await site.records(), await site.tasks(), await site.found('window')]).toEqual([[], [], []]);
    // A document of the former index would have the same version.
    site.content.text = 'door';
    await site.write(settings('c-posts'));
    await finishSiteRecords(site.ctx);
    await site.runTasks();
    expect([await site.found('window'), await site.found('door')]).toEqual([[], ['posts']]);
  });
});

describe('search settings of a package', () => {
  const site = useFixture(() => openSearch('spec-of-search-records'), { lifetime: 'test' });

  it('change none that exist', async () => {
    await site.write(settings('c-posts', { weights: { title: 3 } }));
    await site.write(settings('c-posts'), settings('c-pages', { enabled: false }));
    expect(await site.records()).toEqual([
      settings('c-pages', { enabled: false }),
      settings('c-posts', { weights: { title: 3 } }),
    ]);
  });

  it('of a disabled collection lead to no index', async () => {
    await site.write(settings('c-pages', { enabled: false }));
    await finishSiteRecords(site.ctx);
    expect(await site.tasks()).toEqual([]);
  });

  it.each([
    ['an unknown collection', settings('unknown'), 'unknown'],
    ['an unknown tokenizer', settings('c-posts', { tokenizer: 'icu' }), 'c-posts'],
    ['a negative weight', settings('c-posts', { weights: { title: -1 } }), 'c-posts'],
  ])('are rejected for %s', async (_, record, key) => {
    await expect(site.write(settings('c-pages'), record)).rejects.toMatchObject({
      code: 'TRANSFER_RECORD_INVALID',
      details: { kind: 'search_collections', key },
    });
    expect(await site.records()).toEqual([]);
  });
});

describe('inspectSiteRecords', () => {
  const site = useFixture(() => openSearch('spec-of-search-inspection'), { lifetime: 'test' });

  it('finds nothing where no collection is searchable', async () => {
    expect(await inspectSiteRecords(site.ctx)).toEqual({ blockers: [], scaffold: [] });
  });

  it('finds the settings of new collections as scaffold', async () => {
    await site.write(settings('c-posts'), settings('c-pages'));
    expect(await inspectSiteRecords(site.ctx)).toEqual({
      blockers: [],
      scaffold: ['c-pages', 'c-posts'].map((key) => ({ kind: 'search_collections', key })),
    });
  });

  it.each([[{ enabled: false }], [{ tokenizer: 'trigram' }], [{ weights: { title: 2 } }]])(
    'finds settings of a user as a blocker: %j',
    async (change) => {
      await site.write(settings('c-posts', change), settings('c-pages'));
      expect(await inspectSiteRecords(site.ctx)).toEqual({
        blockers: [{ kind: 'search_collections', count: 1 }],
        scaffold: [{ kind: 'search_collections', key: 'c-pages' }],
      });
    },
  );
});
