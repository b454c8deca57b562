import { connectSearchEngine, type SearchEngine } from '@quire/search-engine';
import { openServiceTenant } from '@quire/testing';
import type { ContentClient } from '../clients/index.js';
import { searchTables } from '../migrations/index.js';
import { SearchDeps } from '../search-deps.js';
import { searchEntities } from '../search.module.js';

/** A content service with one published entry in each collection, whose id is its slug. */
class FakeContent implements Partial<ContentClient> {
  readonly calls: string[] = [];
  /** Number of entries that it reports. */
  entries = 1;
  /** Called before a collection is read. */
  beforeCollection: () => Promise<void> = () => Promise.resolve();

  collection: ContentClient['collection'] = async (_, slug) => {
    this.calls.push('collection');
    await this.beforeCollection();
    return describe(slug);
  };

  setSubscription = () => Promise.resolve();

  count = () => {
    this.calls.push('count');
    return Promise.resolve({ published: this.entries, all: this.entries });
  };

  page: ContentClient['page'] = (_, slug, after) => {
    const documents = after === null ? [document] : [];
    return Promise.resolve({ version: 1, collection: describe(slug), removed: [], left: [], documents });
  };
}

const describe = (slug: string) => ({
  id: slug,
  slug,
  hidden: false,
  titleField: 'title',
  fields: ['title'],
  fingerprint: 'f',
});

const document = {
  id: 'e1',
  version: 1,
  locale: 'en',
  views: [{ statuses: ['published' as const, 'all' as const], slug: 'e', title: 'Text', fields: {} }],
};

/**
 * A site of the search service, on PostgreSQL. Statements as the site see its own tasks only, so runners of several
 * specs do not meet.
 */
export async function openSearchSite(name: string) {
  const tenant = await openServiceTenant(name, 'search', searchTables, searchEntities);
  const { ctx } = tenant;
  const engine: SearchEngine = connectSearchEngine({ meilisearch: undefined, namespace: 'spec' });
  const content = new FakeContent();
  const deps = new SearchDeps(engine, content as unknown as ContentClient);
  return {
    ctx,
    content,
    deps,
    /** Stores the settings of searchable collections. */
    enable: (...slugs: string[]) =>
      ctx.db.query(
        `INSERT INTO search_collections (collection_id, slug, enabled, tokenizer, weights)
         SELECT slug, slug, true, 'porter unicode61', '{}' FROM unnest($1::text[]) AS slug`,
        [slugs],
      ),
    /** The tasks, with the seconds until they are due. */
    tasks: () =>
      ctx.db.query<{
        task: string;
        collection: string;
        attempts: number;
        state: string | null;
        inSeconds: number;
      }>(
        `SELECT task, collection_id AS collection, attempts, index_state AS state,
           round(extract(epoch FROM due_at - now()))::integer AS "inSeconds"
         FROM cms_search.search_tasks WHERE tenant_id = $1 ORDER BY task, collection_id`,
        [name],
      ),
    /** Makes all tasks due now. */
    makeDue: () =>
      ctx.db.query('UPDATE cms_search.search_tasks SET due_at = now() WHERE tenant_id = $1', [name]),
    async reset(): Promise<void> {
      await deps.indexesOf(ctx).dropAll();
      await ctx.db.query('DELETE FROM search_collections');
      await ctx.db.query('DELETE FROM cms_search.search_tasks WHERE tenant_id = $1', [name]);
      content.entries = 1;
      content.beforeCollection = () => Promise.resolve();
      content.calls.length = 0;
    },
    async close(): Promise<void> {
      await deps.indexesOf(ctx).dropAll();
      await tenant.close();
      await engine.close();
    },
  };
}

export type SearchSite = Awaited<ReturnType<typeof openSearchSite>>;
