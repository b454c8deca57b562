import { MeilisearchTaskTimeOutError, type Meilisearch, type Task } from 'meilisearch';
import { SearchEngineUnavailable } from '../port/search-engine-errors.js';
import type { IndexName } from '../tables/index-tables.js';
import type { Server } from './meili-access.js';

const pending: ('enqueued' | 'processing')[] = ['enqueued', 'processing'];
const undone: ('failed' | 'canceled')[] = ['failed', 'canceled'];
const ofDocuments: ('documentAdditionOrUpdate' | 'documentDeletion')[] = [
  'documentAdditionOrUpdate',
  'documentDeletion',
];
const pollEveryMs = 50;
const failuresPerPage = 1_000;
/** Some times the interval at which states are read. */
const failureMemoryMs = 3_600_000;

/** The last failed task of each index that wrote documents, of the last hour: uids of tasks by those of the indexes. */
export async function lastFailures(client: Meilisearch): Promise<Map<string, number>> {
  const last = new Map<string, number>();
  const since = new Date(Date.now() - failureMemoryMs).toISOString();
  const failed = { types: ofDocuments, statuses: undone, afterFinishedAt: since, limit: failuresPerPage };
  for (let from: number | null | undefined; from !== null;) {
    const { results, next } = await client.tasks.getTasks({ ...failed, ...(from !== undefined && { from }) });
    for (const { uid, indexUid } of results)
      if (indexUid !== null) last.set(indexUid, Math.max(uid, last.get(indexUid) ?? uid));
    from = next;
  }
  return last;
}

/** Writes are tasks that Meilisearch accepts immediately and runs later, those of an index in their order. */
export class TaskQueue {
  constructor(private readonly server: Server) {}

  /**
   * Waits for one task. @param harmless codes of failures that count as success
   * @throws SearchEngineUnavailable when it failed; MeilisearchTaskTimeOutError
   */
  async finish(task: number, { timeoutMs, harmless }: { timeoutMs: number; harmless: string[] }) {
    const done = await this.wait(task, timeoutMs);
    if (done.status !== 'succeeded' && !harmless.includes(done.error?.code ?? ''))
      throw new SearchEngineUnavailable(done.error);
  }

  /** Waits until all pending tasks of an index have ended. @returns false after the timeout */
  async settle(index: IndexName, timeoutMs: number): Promise<boolean> {
    const newest = await this.newestPending(this.server.uids.of(index));
    if (!newest) return true;
    try {
      await this.wait(newest.uid, timeoutMs);
      return true;
    } catch (error) {
      if (error instanceof MeilisearchTaskTimeOutError) return false;
      throw error;
    }
  }

  /** Whether an accepted task of an index, to add or remove documents, has failed. */
  async hasFailed(index: IndexName): Promise<boolean> {
    const indexUids = [this.server.uids.of(index)];
    const failed = { indexUids, types: ofDocuments, statuses: undone, limit: 1 };
    return (await this.client.tasks.getTasks(failed)).results.length > 0;
  }

  /** Whether an index has a pending task. */
  async isBusy(index: IndexName): Promise<boolean> {
    return (await this.newestPending(this.server.uids.of(index))) !== undefined;
  }

  private async newestPending(uid: string): Promise<Task | undefined> {
    const { results } = await this.client.tasks.getTasks({ indexUids: [uid], statuses: pending, limit: 1 });
    return results[0];
  }

  private wait(task: number, timeoutMs: number): Promise<Task> {
    return this.client.tasks.waitForTask(task, { timeout: timeoutMs, interval: pollEveryMs });
  }

  private get client(): Meilisearch {
    return this.server.client;
  }
}
