import type { Meilisearch, Task } from 'meilisearch';
import { SearchEngineUnavailable, SearchIndexMissing } from '../port/search-engine-errors.js';
import type { IndexName } from '../tables/index-tables.js';
import { missingIndex, type Server } from './meili-access.js';

const pending: ('enqueued' | 'processing')[] = ['enqueued', 'processing'];
const undone: ('failed' | 'canceled')[] = ['failed', 'canceled'];
/** Numbers of tasks in the address of one request. */
const mostNumbers = 200;
const pollEveryMs = 50;

/** Writing is a task that Meilisearch accepts at once and does later, those of an index in their order. */
export class TaskQueue {
  /** Tasks of each index that were accepted here and that nobody has waited for. */
  private readonly accepted = new Map<string, number[]>();

  constructor(private readonly server: Server) {}

  /** Remembers a task of an index for `settle`. */
  note(index: IndexName, task: number): void {
    const uid = this.server.uids.of(index);
    this.accepted.set(uid, [...(this.accepted.get(uid) ?? []), task]);
  }

  /**
   * Waits for one task. @param harmless codes of failures that are none
   * @throws SearchEngineUnavailable when it failed; MeilisearchTaskTimeOutError
   */
  async finish(task: number, { patienceMs, harmless }: { patienceMs: number; harmless: string[] }) {
    const done = await this.wait(task, patienceMs);
    if (done.status !== 'succeeded' && !harmless.includes(done.error?.code ?? ''))
      throw new SearchEngineUnavailable(done.error);
  }

  /**
   * Waits until everything is done that an index waits for.
   * @throws SearchIndexMissing, SearchEngineUnavailable when a task that was accepted here failed; MeilisearchTaskTimeOutError
   */
  async settle(index: IndexName, patienceMs: number): Promise<void> {
    const uid = this.server.uids.of(index);
    const own = this.accepted.get(uid) ?? [];
    const newest = await this.newestPending(uid);
    if (newest) await this.wait(newest.uid, patienceMs);
    this.accepted.delete(uid);
    for (let from = 0; from < own.length; from += mostNumbers) {
      const uids = own.slice(from, from + mostNumbers);
      const { results } = await this.client.tasks.getTasks({ uids, statuses: undone, limit: 1 });
      const failed = results[0];
      if (failed?.error?.code === missingIndex)
        throw new SearchIndexMissing(index.collectionId, index.generation);
      if (failed) throw new SearchEngineUnavailable(failed.error);
    }
  }

  /** Whether an index waits for a task. */
  async isBusy(index: IndexName): Promise<boolean> {
    return (await this.newestPending(this.server.uids.of(index))) !== undefined;
  }

  private async newestPending(uid: string): Promise<Task | undefined> {
    const { results } = await this.client.tasks.getTasks({ indexUids: [uid], statuses: pending, limit: 1 });
    return results[0];
  }

  private wait(task: number, patienceMs: number): Promise<Task> {
    return this.client.tasks.waitForTask(task, { timeout: patienceMs, interval: pollEveryMs });
  }

  private get client(): Meilisearch {
    return this.server.client;
  }
}
