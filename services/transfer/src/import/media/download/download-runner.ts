import type { Context } from '@quire/context';
import type { TransactionalDatabase } from '@quire/database';
import type { Logger } from '@quire/observability';
import { IntervalTask } from '@quire/runtime';
import {
  claimDownloads,
  downloadTasks,
  leaseSeconds,
  removeIdleHosts,
  type LeasedDownload,
} from '../download-tasks.repository.js';
import { processDownload, type DownloadDeps } from './process-download.js';
import { ReservedKeys } from './reserved-keys.js';

const defaultEveryMs = 2_000;
const defaultConcurrency = 12;

export interface DownloadRunnerOptions {
  /** The shared schema of each database of the service. */
  databases: readonly TransactionalDatabase[];
  /** A context of system work on a tenant, or undefined when the tenant is deleted. */
  contextOf: (tenantId: string, requestId: string) => Promise<Context | undefined>;
  deps: Omit<DownloadDeps, 'keys'>;
  logger: Pick<Logger, 'warn'>;
  /** Downloads that this process makes at a time. An upload to S3 takes up to 20 MiB of memory. */
  concurrency?: number;
  /** Time between two looks for due downloads, which each end of a download shortens. */
  everyMs?: number;
}

/**
 * Makes the downloads of media imports, several at a time. Any number of processes may run one: each download is leased
 * by one of them, and the limits of hosts hold for all together.
 */
export class MediaDownloadRunner {
  private readonly tasks: readonly IntervalTask[];
  private readonly deps: DownloadDeps;
  private readonly running = new Map<string, { stop: AbortController; done: Promise<void> }>();

  constructor(private readonly options: DownloadRunnerOptions) {
    const { databases, logger, deps, everyMs = defaultEveryMs } = options;
    this.deps = { ...deps, keys: new ReservedKeys(deps.media) };
    this.tasks = databases.map((database): IntervalTask => {
      const task: IntervalTask = new IntervalTask({
        work: (isStopping) => this.fill(database, () => task.wake(), isStopping),
        everyMs,
        failure: 'media downloads failed',
        logger,
      });
      return task;
    });
  }

  start(): void {
    for (const task of this.tasks) task.start(0);
  }

  /** Looks for due downloads now. */
  wake(): void {
    for (const task of this.tasks) task.wake();
  }

  /** Interrupts the running downloads. Another worker makes them. */
  async stop(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
    for (const { stop } of this.running.values()) stop.abort(new Error('The worker stops'));
    await Promise.all([...this.running.values()].map(({ done }) => done));
  }

  /** Starts due downloads, as many as this process has free. Each end calls it again. */
  private async fill(
    database: TransactionalDatabase,
    onEnd: () => void,
    isStopping: () => boolean,
  ): Promise<void> {
    const { concurrency = defaultConcurrency } = this.options;
    const free = concurrency - this.running.size;
    if (free <= 0 || isStopping()) return;
    const claimed = await claimDownloads(database, free);
    for (const leased of claimed) this.begin(database, leased, onEnd);
    if (this.running.size === 0) await removeIdleHosts(database);
  }

  private begin(database: TransactionalDatabase, leased: LeasedDownload, onEnd: () => void): void {
    const stop = new AbortController();
    const done = this.process(database, leased, stop).finally(() => {
      this.running.delete(leased.token);
      onEnd();
    });
    this.running.set(leased.token, { stop, done });
  }

  /** Never rejects. */
  private async process(
    database: TransactionalDatabase,
    leased: LeasedDownload,
    stop: AbortController,
  ): Promise<void> {
    const { contextOf, logger } = this.options;
    const { tenantId, importId, number } = leased;
    const heartbeat = setInterval(() => void this.extend(database, leased, stop), (leaseSeconds * 1000) / 3);
    try {
      const ctx = await contextOf(tenantId, `media-import:${importId}/${number}`);
      if (ctx) await processDownload(ctx, this.deps, leased, stop.signal);
      else await downloadTasks.complete(database, leased);
    } catch (error) {
      if (!stop.signal.aborted)
        logger.warn({ tenant: tenantId, importId, number, err: error }, 'media download rescheduled');
      await downloadTasks
        .reschedule(database, leased, stop.signal.aborted ? 'STOPPED' : 'SERVICE_UNAVAILABLE')
        // The lease expires by itself.
        .catch(() => undefined);
    } finally {
      clearInterval(heartbeat);
    }
  }

  /** A failed extension is repeated before the lease expires. */
  private async extend(
    database: TransactionalDatabase,
    leased: LeasedDownload,
    stop: AbortController,
  ): Promise<void> {
    try {
      const extended = await downloadTasks.extend(database, leased);
      if (!extended) stop.abort(new Error('The lease is lost'));
    } catch {
      return;
    }
  }
}
