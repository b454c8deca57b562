import type { TransactionalSql } from '@quire/database';
import { titleKey } from '../analysis/query.js';
import {
  checkBatch,
  checkCount,
  pageOf,
  queriesOf,
  type IndexQuery,
  type Window,
} from '../analysis/request.js';
import { hitOf } from '../analysis/hit.js';
import type { Overtaken, SiteIndexes } from '../port/search-engine.js';
import type { IndexDocument, RemovedDocument, SearchIndex, SearchStatus } from '../port/search-index.js';
import type { SearchPage, SearchRequest, SuggestRequest, Suggestion } from '../port/search-request.js';
import {
  dropTable,
  hasTable,
  indexesWithTable,
  makeTable,
  onTables,
  reaching,
  tableName,
  type IndexName,
} from '../tables/index-tables.js';
import { analyseOnce, countRows, createIndexTable, putRows, removeRows } from './index-table.js';
import { allStatement, someStatement, titlesStatement, type HitRow } from './search-statements.js';

/** A tenant's indexes as tables of its schema. */
export class PostgresIndexes implements SiteIndexes {
  constructor(private readonly db: TransactionalSql) {}

  async create(index: SearchIndex): Promise<void> {
    await makeTable(this.db, tableName('index', index), (tx) => createIndexTable(tx, index));
  }

  async put(index: SearchIndex, documents: readonly IndexDocument[]): Promise<Overtaken> {
    checkBatch(documents);
    await this.on([index], () => putRows(this.db, index, documents));
    return { overtaken: [] };
  }

  async remove(index: SearchIndex, documents: readonly RemovedDocument[]): Promise<Overtaken> {
    checkBatch(documents);
    await this.on([index], () => removeRows(this.db, index, documents));
    return { overtaken: [] };
  }

  async settle(index: SearchIndex): Promise<boolean> {
    await this.on([index], () => analyseOnce(this.db, index));
    return true;
  }

  async drop(index: IndexName): Promise<void> {
    await reaching(() => dropTable(this.db, 'index', index));
  }

  dropCollection(collectionId: string): Promise<void> {
    return this.dropEach(collectionId);
  }

  dropAll(): Promise<void> {
    return this.dropEach();
  }

  isIntact(index: SearchIndex): Promise<boolean> {
    return reaching(() => hasTable(this.db, 'index', index));
  }

  hasFailed(): Promise<boolean> {
    return Promise.resolve(false);
  }

  count(index: SearchIndex, status: SearchStatus): Promise<number> {
    return this.on([index], () => countRows(this.db, index, status));
  }

  async search(request: SearchRequest): Promise<SearchPage> {
    const queries = queriesOf(request);
    const { hits, hasMore } = await pageOf(request, queries, (window, mustHaveAll) =>
      this.find(queries, window, mustHaveAll),
    );
    return { hits: hits.map((row) => hitOf(row, queries[row.place] as IndexQuery)), hasMore };
  }

  async suggest({ text, indexes, locale, limit }: SuggestRequest): Promise<Suggestion[]> {
    checkCount(indexes.length);
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
    return this.on(indexes, () => this.db.query<HitRow>(statement));
  }

  private async dropEach(collectionId?: string): Promise<void> {
    await reaching(async () => {
      for (const index of await indexesWithTable(this.db, 'index', collectionId))
        await dropTable(this.db, 'index', index);
    });
  }

  private on<Result>(indexes: readonly IndexName[], work: () => Promise<Result>): Promise<Result> {
    return onTables(this.db, 'index', indexes, work);
  }
}
