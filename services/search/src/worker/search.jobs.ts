import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { BatchLoader, type CollectionChanged, type EntryChanged } from '@quire/jobs';
import type { Logger } from '@quire/observability';
import { selectCollection } from '../collections/index.js';
import { reconcileIndex, type ReconcileOutcome } from '../indexing/index.js';
import type { SearchDeps } from '../search-deps.js';
import { enableSearch } from '../settings/index.js';
import { enqueueReconciliation, searchTasks } from '../tasks/index.js';
import { indexEntries } from './index-entries.js';

const retryAfterSeconds = 2;
/** The runner continues longer builds: a job blocks other jobs of its queue. */
const buildTimeBudgetMs = 20_000;

/** The handlers of messages of the content service. */
export class SearchJobs {
  private readonly batches = new BatchLoader<'indexed' | 'ignored'>();

  constructor(
    private readonly deps: SearchDeps,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /**
   * Indexes one entry. While the engine or content is down, the entry becomes a task of the runner, so that an outage
   * of any length neither fails jobs for good nor fills the queue.
   * @throws Error when the task cannot be stored: the queue then retries the job
   */
  async indexEntry(ctx: Context, message: EntryChanged): Promise<'indexed' | 'ignored' | 'postponed'> {
    const { tenantId, collectionId, entryId } = message;
    try {
      return await this.batches.add(`${tenantId}/${collectionId}`, entryId, (ids) =>
        indexEntries(ctx, this.deps, collectionId, ids),
      );
    } catch (error) {
      const task = { tenantId, collectionId, task: 'index', entryId } as const;
      await searchTasks.enqueue(ctx.db, [task], { afterSeconds: retryAfterSeconds });
      const fields = { tenant: tenantId, requestId: ctx.requestId, collectionId, entryId, err: error };
      this.logger.warn(fields, 'entry indexing rescheduled');
      return 'postponed';
    }
  }

  /**
   * Reconciles the index of a changed collection. While the engine or content is down, the runner does it later.
   * @throws Error when the task cannot be stored: the queue then retries the job
   */
  async syncCollection(
    ctx: Context,
    { tenantId, collectionId }: CollectionChanged,
  ): Promise<Exclude<ReconcileOutcome, 'unconfirmed'> | 'postponed'> {
    const options = { timeBudgetMs: buildTimeBudgetMs, isFullCheck: false };
    try {
      const outcome = await reconcileIndex(ctx, this.deps, collectionId, options);
      return outcome === 'unconfirmed' ? 'unchanged' : outcome;
    } catch (error) {
      await enqueueReconciliation(ctx.db, ctx.principal.tenant, collectionId, {
        afterSeconds: retryAfterSeconds,
      });
      const fields = { tenant: tenantId, requestId: ctx.requestId, collectionId, err: error };
      this.logger.warn(fields, 'search index reconciliation rescheduled');
      return 'postponed';
    }
  }

  /**
   * Enables search for a collection; for one that is searchable already, nothing changes. A repeated run after a user
   * has disabled search would enable it again: it can only follow within the seconds of the job's attempts. While an
   * import writes to the collection, the task that was stored with the settings subscribes and builds the index later.
   * @throws SearchEngineUnavailable, QuireError SERVICE_UNAVAILABLE before the settings are stored
   */
  async enableCollection(
    ctx: Context,
    { collection, collectionId }: CollectionChanged,
  ): Promise<'enabled' | 'postponed' | 'not-searchable' | 'deleted'> {
    try {
      // An import may have replaced the collection by one of the same slug, with search settings of its own.
      if ((await this.deps.content.collection(ctx, collection)).id !== collectionId) return 'deleted';
      await enableSearch(ctx, this.deps, { collection }, { isBackground: true });
      return 'enabled';
    } catch (error) {
      if (!(error instanceof QuireError)) throw error;
      if (error.code === 'NO_SEARCHABLE_FIELDS') return 'not-searchable';
      if (error.code === 'COLLECTION_NOT_FOUND') return 'deleted';
      const isStored = (await selectCollection(ctx.db, collectionId))?.enabled === true;
      if (error.code !== 'SERVICE_UNAVAILABLE' || !isStored) throw error;
      await enqueueReconciliation(ctx.db, ctx.principal.tenant, collectionId, {
        afterSeconds: retryAfterSeconds,
      });
      return 'postponed';
    }
  }
}
