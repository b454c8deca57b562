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

/** Writing is a task that Meilisearch accepts at once and does later, those of an index in their order. */
export class TaskQueue {
  constructor(private readonly server: Server) {}

  /**
   * Waits for one task. @param harmless codes of failures that are none
   * @throws SearchEngineUnavailable when it failed; MeilisearchTaskTimeOutError
   */
  async finish(task: number, { timeoutMs, harmless }: { timeoutMs: number; harmless: string[] }) {
    const done = await this.wait(task, timeoutMs);
    if (done.status !== 'succeeded' && !harmless.includes(done.error?.code ?? ''))
      throw new SearchEngineUnavailable(done.error);
  }

  /** Waits until everything was tried that an index waits for. @returns false when it is not in time */
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

  /** Whether Meilisearch accepted documents of an index, or removals, and then did not do it. */
  async hasFailed(index: IndexName): Promise<boolean> {
    const indexUids = [this.server.uids.of(index)];
    const failed = { indexUids, types: ofDocuments, statuses: undone, limit: 1 };
    return (await this.client.tasks.getTasks(failed)).results.length > 0;
  }

  /** Whether an index waits for a task. */
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
