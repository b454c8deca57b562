import type { TransactionalDatabase } from '@quire/database';
import { titleKey } from '../analysis/query.js';
import {
  assertBatch,
  assertIndexCount,
  pageOf,
  toIndexQueries,
  type IndexQuery,
  type Window,
} from '../analysis/request.js';
import { toSearchHit } from '../analysis/hit.js';
import type { SupersededIds, SiteIndexes } from '../port/search-engine.js';
import type { IndexDocument, RemovedDocument, SearchIndex, SearchStatus } from '../port/search-index.js';
import type { SearchPage, SearchRequest, SuggestRequest, Suggestion } from '../port/search-request.js';
import {
  dropTable,
  hasTable,
  indexesWithTable,
  createTableOnce,
  onTables,
  mapDatabaseErrors,
  tableName,
  type IndexName,
} from '../tables/index-tables.js';
import { analyseOnce, countRows, createIndexTable, upsertRows, markRowsRemoved } from './index-table.js';
import { allStatement, someStatement, titlesStatement, type HitRow } from './search-statements.js';

/** A tenant's indexes as tables of its schema. */
export class PostgresIndexes implements SiteIndexes {
  constructor(private readonly db: TransactionalDatabase) {}

  async create(index: SearchIndex): Promise<void> {
    await createTableOnce(this.db, tableName('index', index), (tx) => createIndexTable(tx, index));
  }

  async put(index: SearchIndex, documents: readonly IndexDocument[]): Promise<SupersededIds> {
    assertBatch(documents);
    await this.on([index], () => upsertRows(this.db, index, documents));
    return { superseded: [] };
  }

  async remove(index: SearchIndex, documents: readonly RemovedDocument[]): Promise<SupersededIds> {
    assertBatch(documents);
    await this.on([index], () => markRowsRemoved(this.db, index, documents));
    return { superseded: [] };
  }

  async settle(index: SearchIndex): Promise<boolean> {
    await this.on([index], () => analyseOnce(this.db, index));
    return true;
  }

  async drop(index: IndexName): Promise<void> {
    await mapDatabaseErrors(() => dropTable(this.db, 'index', index));
  }

  dropCollection(collectionId: string): Promise<void> {
    return this.dropIndexes(collectionId);
  }

  dropAll(): Promise<void> {
    return this.dropIndexes();
  }

  isIntact(index: SearchIndex): Promise<boolean> {
    return mapDatabaseErrors(() => hasTable(this.db, 'index', index));
  }

  hasFailed(): Promise<boolean> {
    return Promise.resolve(false);
  }

  count(index: SearchIndex, status: SearchStatus): Promise<number> {
    return this.on([index], () => countRows(this.db, index, status));
  }

  async search(request: SearchRequest): Promise<SearchPage> {
    const queries = toIndexQueries(request);
    const { hits, hasMore } = await pageOf(request, queries, (window, mustHaveAll) =>
      this.find(queries, window, mustHaveAll),
    );
    return { hits: hits.map((row) => toSearchHit(row, queries[row.place] as IndexQuery)), hasMore };
  }

  async suggest({ text, indexes, locale, limit }: SuggestRequest): Promise<Suggestion[]> {
    assertIndexCount(indexes.length);
    const key = titleKey(text);
    if (indexes.length === 0 || !/[\p{L}\p{N}]/u.test(key)) return [];
    const statement = titlesStatement(indexes, { key, locale, limit });
    const rows = await this.on(indexes, () =>
      this.db.query<{ place: number; id: string; slug: string | null; title: string }>(statement),
    );
    return rows.map(({ place, ...row }) => ({ collectionId: indexes[place]?.collectionId ?? '', ...row }));
  }

  private find(queries: readonly IndexQuery[], window: Window, mustHaveAll: boolean): Promise<HitRow[]> {
    const statement = mustHaveAll ? allStatement(queries, window) : someStatement(queries, window);
    const indexes = queries.map(({ index }) => index);
    return this.on(indexes, () =>
      this.db.transaction(async (tx) => {
        // A scan of the table decompresses the words of each row, which costs ten times what PostgreSQL assumes.
        await tx.query('SET LOCAL enable_seqscan = off');
        return tx.query<HitRow>(statement);
      }),
    );
  }

  private async dropIndexes(collectionId?: string): Promise<void> {
    await mapDatabaseErrors(async () => {
      for (const index of await indexesWithTable(this.db, 'index', collectionId))
        await dropTable(this.db, 'index', index);
    });
  }

  private on<Result>(indexes: readonly IndexName[], work: () => Promise<Result>): Promise<Result> {
    return onTables(this.db, 'index', indexes, work);
  }
}
