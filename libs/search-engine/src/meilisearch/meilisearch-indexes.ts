import type { TransactionalDatabase } from '@quire/database';
import { chunksOf } from '../analysis/document.js';
import { assertBatch, pageOf, toIndexQueries } from '../analysis/request.js';
import { toSearchHit } from '../analysis/hit.js';
import type { SupersededIds, SiteIndexes } from '../port/search-engine.js';
import { SearchIndexMissing } from '../port/search-engine-errors.js';
import type { IndexDocument, RemovedDocument, SearchIndex, SearchStatus } from '../port/search-index.js';
import type { SearchPage, SearchRequest, SuggestRequest, Suggestion } from '../port/search-request.js';
import {
  dropTable,
  indexesWithTable,
  createTableOnce,
  onTables,
  mapDatabaseErrors,
  tableName,
  type IndexName,
} from '../tables/index-tables.js';
import { indexSettings } from './index-settings.js';
import {
  claim,
  countSent,
  createVersionsTable,
  markSent,
  type DocumentVersion,
} from './document-versions.js';
import { withMeilisearchErrors, filterOf, indexExists, missingIndex, type Server } from './meili-access.js';
import { documentId, meiliDocuments, viewIds, type MeiliDocument } from './meili-documents.js';
import { findAll, findSome } from './meili-search.js';
import { suggestTitles } from './meili-suggest.js';
import { TaskQueue } from './meili-tasks.js';

const settleTimeoutMs = 30_000;

/** A tenant's indexes on a Meilisearch server, and the table of the sent versions. */
export class MeilisearchIndexes implements SiteIndexes {
  private readonly tasks: TaskQueue;

  constructor(
    private readonly server: Server,
    private readonly db: TransactionalDatabase,
  ) {
    this.tasks = new TaskQueue(server);
  }

  async create(index: SearchIndex): Promise<void> {
    await createTableOnce(this.db, tableName('ledger', index), (tx) => createVersionsTable(tx, index));
    await this.withMeilisearchErrors([index], async () => {
      const { client, uids } = this.server;
      const uid = uids.of(index);
      const created = await client.createIndex(uid, { primaryKey: 'id' });
      const set = await client.index(uid).updateSettings(indexSettings);
      const timeout = { timeoutMs: settleTimeoutMs };
      await this.tasks.finish(created.taskUid, { ...timeout, harmless: [indexExists] });
      await this.tasks.finish(set.taskUid, { ...timeout, harmless: [] });
    });
  }

  async put(index: SearchIndex, documents: readonly IndexDocument[]): Promise<SupersededIds> {
    assertBatch(documents);
    const superseded: string[] = [];
    for (const chunk of chunksOf(documents)) {
      const entries = chunk.map((document) => ({ ...document, views: document.views.length }));
      const added = (ids: ReadonlySet<string>) =>
        chunk.filter(({ id }) => ids.has(id)).flatMap((document) => meiliDocuments(document, index));
      superseded.push(...(await this.send(index, entries, added)));
    }
    return { superseded };
  }

  async remove(index: SearchIndex, documents: readonly RemovedDocument[]): Promise<SupersededIds> {
    assertBatch(documents);
    const entries = documents.map(({ id, version }) => ({ id, version, views: 0 }));
    return { superseded: await this.send(index, entries, () => []) };
  }

  async settle(index: SearchIndex, { timeoutMs = settleTimeoutMs } = {}): Promise<boolean> {
    await this.requireIndex(index);
    const isSettled = await this.withMeilisearchErrors([index], () => this.tasks.settle(index, timeoutMs));
    await this.requireIndex(index);
    return isSettled;
  }

  async drop(index: IndexName): Promise<void> {
    await this.deleteIndex(index);
    await mapDatabaseErrors(() => dropTable(this.db, 'ledger', index));
    // A document sent between the two created the index again. Later ones find no table of versions.
    const task = await this.deleteIndex(index);
    await this.withMeilisearchErrors([index], () =>
      this.tasks.finish(task, { timeoutMs: settleTimeoutMs, harmless: [missingIndex] }),
    );
  }

  dropCollection(collectionId: string): Promise<void> {
    return this.dropIndexes(collectionId);
  }

  dropAll(): Promise<void> {
    return this.dropIndexes();
  }

  async isIntact(index: SearchIndex): Promise<boolean> {
    try {
      if (await this.hasAllSent(index)) return true;
      // Pending documents are not lost; and they may have arrived since the documents were counted.
      return (
        (await this.withMeilisearchErrors([index], () => this.tasks.isBusy(index))) ||
        (await this.hasAllSent(index))
      );
    } catch (error) {
      if (error instanceof SearchIndexMissing) return false;
      throw error;
    }
  }

  hasFailed(index: SearchIndex): Promise<boolean> {
    return this.withMeilisearchErrors([index], () => this.tasks.hasFailed(index));
  }

  async count(index: SearchIndex, status: SearchStatus): Promise<number> {
    const { client, uids } = this.server;
    const query = { ...filterOf(index, { status }), fields: ['id'], limit: 1 };
    const found = await this.withMeilisearchErrors([index], () =>
      client.index(uids.of(index)).getDocuments(query),
    );
    return found.total;
  }

  async search(request: SearchRequest): Promise<SearchPage> {
    const queries = toIndexQueries(request);
    const indexes = queries.map(({ index }) => index);
    const { hits, hasMore } = await pageOf(request, queries, (window, mustHaveAll) =>
      this.withMeilisearchErrors(indexes, () =>
        (mustHaveAll ? findAll : findSome)(this.server, queries, window),
      ),
    );
    const shown = hits.map((found) => toSearchHit({ ...found, id: documentId(found.id) }, found.query));
    return { hits: shown, hasMore };
  }

  suggest(request: SuggestRequest): Promise<Suggestion[]> {
    return this.withMeilisearchErrors(request.indexes, () => suggestTitles(this.server, request));
  }

  /**
   * Sends the documents that are newer than those sent before, and deletes their former views.
   * @param addedOf returns the content to send for the documents of these ids
   * @returns ids of documents that were sent concurrently by others
   */
  private async send(
    index: SearchIndex,
    entries: readonly DocumentVersion[],
    addedOf: (ids: ReadonlySet<string>) => MeiliDocument[],
  ): Promise<string[]> {
    // The server would create a missing index without settings.
    await this.requireIndex(index);
    const newer = await this.onVersionsTable(index, () => claim(this.db, index, entries));
    const sent = entries.filter(({ id }) => newer.has(id));
    if (sent.length === 0) return [];
    const target = this.server.client.index(this.server.uids.of(index));
    const removed = sent
      .filter(({ id, views }) => views === 0 || newer.get(id)?.isReplaced)
      .flatMap(({ id, views }) => viewIds(id, views));
    const added = addedOf(new Set(newer.keys()));
    await this.withMeilisearchErrors([index], async () => {
      if (removed.length > 0) await target.deleteDocuments(removed);
      if (added.length > 0) await target.addDocuments(added);
    });
    try {
      return await this.onVersionsTable(index, () => markSent(this.db, index, sent));
    } catch (error) {
      // The index was dropped concurrently: these documents may have created it again.
      if (error instanceof SearchIndexMissing) await this.deleteIndex(index);
      throw error;
    }
  }

  private async hasAllSent(index: SearchIndex): Promise<boolean> {
    const sent = await this.onVersionsTable(index, () => countSent(this.db, index));
    const { client, uids } = this.server;
    const stats = await this.withMeilisearchErrors([index], () => client.index(uids.of(index)).getStats());
    return stats.numberOfDocuments >= sent;
  }

  private onVersionsTable<Result>(index: IndexName, work: () => Promise<Result>): Promise<Result> {
    return onTables(this.db, 'ledger', [index], work);
  }

  private async requireIndex(index: IndexName): Promise<void> {
    await this.withMeilisearchErrors([index], () =>
      this.server.client.getRawIndex(this.server.uids.of(index)),
    );
  }

  /** @returns the id of the task, which runs later */
  private async deleteIndex(index: IndexName): Promise<number> {
    const task = await this.withMeilisearchErrors([], () =>
      this.server.client.deleteIndex(this.server.uids.of(index)),
    );
    return task.taskUid;
  }

  private async dropIndexes(collectionId?: string): Promise<void> {
    for (const index of await mapDatabaseErrors(() => indexesWithTable(this.db, 'ledger', collectionId)))
      await this.drop(index);
  }

  private withMeilisearchErrors<Result>(
    indexes: readonly IndexName[],
    work: () => Promise<Result>,
  ): Promise<Result> {
    return withMeilisearchErrors(this.server.uids, indexes, work);
  }
}
