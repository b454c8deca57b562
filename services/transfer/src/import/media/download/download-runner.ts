import type { Context } from '@quire/context';
import type { TransactionalDatabase } from '@quire/database';
import type { Logger } from '@quire/observability';
import { IntervalTask, type Sweep } from '@quire/runtime';
import { PostponedWorkError } from '@quire/work-queue';
import type { WriteFence } from '../../../write-fence.js';
import {
  claimSlots,
  completeDownloads,
  extendSlot,
  releaseDownloads,
  type LeasedDownload,
  type LeasedSlot,
} from '../download-slots.repository.js';
import { downloadTasks, leaseSeconds, removeIdleHosts } from '../download-tasks.repository.js';
import { DownloadBatches } from './download-batches.js';
import type { DownloadDeps } from './process-download.js';
import { processSlot } from './process-slot.js';
import { ReservedKeys } from './reserved-keys.js';

const defaultEveryMs = 2_000;
const defaultConcurrency = 12;
/** Time until the downloads of a site are tried again that a site import pauses. */
const pauseSeconds = 5;

export interface DownloadRunnerOptions {
  /** The shared schema of each database of the service. */
  databases: readonly TransactionalDatabase[];
  /** A context of system work on a tenant, or undefined when the tenant is deleted. */
  contextOf: (tenantId: string, requestId: string) => Promise<Context | undefined>;
  deps: Omit<DownloadDeps, 'keys' | 'batches'>;
  /** Pauses the downloads of sites that a site import writes to. */
  fence: Pick<WriteFence, 'isRaised'>;
  logger: Pick<Logger, 'warn'>;
  /** Requests that this process makes at a time. An upload to S3 takes up to 20 MiB of memory. */
  concurrency?: number;
  /** Time between two looks for due downloads, which each end of a slot shortens. */
  everyMs?: number;
}

interface RunningSlot {
  slot: LeasedSlot;
  /** Interrupts it. */
  stop: AbortController;
  done: Promise<void>;
}

/**
 * Makes the downloads of media imports, several at a time. Any number of processes may run one: each slot of a host is
 * leased by one of them, and the limits of hosts hold for all together.
 */
export class MediaDownloadRunner implements Sweep {
  readonly tasks: readonly IntervalTask[];
  private readonly deps: DownloadDeps;
  private readonly running = new Set<RunningSlot>();

  constructor(private readonly options: DownloadRunnerOptions) {
    const { databases, logger, deps, everyMs = defaultEveryMs } = options;
    this.deps = { ...deps, keys: new ReservedKeys(deps.media), batches: new DownloadBatches(deps.media) };
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
    for (const { stop } of this.running) stop.abort(new Error('The worker stops'));
    await Promise.all([...this.running].map(({ done }) => done));
  }

  /** Starts slots of due downloads, as many as this process has free. Each end calls it again. */
  private async fill(
    database: TransactionalDatabase,
    onEnd: () => void,
    isStopping: () => boolean,
  ): Promise<void> {
    const { concurrency = defaultConcurrency } = this.options;
    const free = concurrency - this.running.size;
    if (free <= 0 || isStopping()) return;
    for (const slot of await claimSlots(database, free)) this.begin(database, slot, onEnd);
    if (this.running.size === 0) await removeIdleHosts(database);
  }

  private begin(database: TransactionalDatabase, slot: LeasedSlot, onEnd: () => void): void {
    const running: RunningSlot = {
      slot,
      stop: new AbortController(),
      done: Promise.resolve(),
    };
    this.running.add(running);
    running.done = this.process(database, running).finally(() => {
      this.running.delete(running);
      onEnd();
    });
  }

  /** Never rejects. */
  private async process(database: TransactionalDatabase, running: RunningSlot): Promise<void> {
    const { slot, stop } = running;
    const heartbeat = setInterval(() => void this.extend(database, running), (leaseSeconds * 1000) / 3);
    const reschedule = (leased: LeasedDownload, error: unknown) =>
      this.reschedule(database, leased, { error, isStopped: stop.signal.aborted });
    try {
      const ctx = await this.options.contextOf(slot.tenantId, `media-import:${slot.token}`);
      if (!ctx) await completeDownloads(database, slot.downloads);
      else if (await this.options.fence.isRaised(ctx))
        await releaseDownloads(database, slot.downloads, pauseSeconds);
      else await processSlot(ctx, this.deps, slot, { signal: stop.signal, reschedule });
    } catch (error) {
      if (error instanceof PostponedWorkError)
        await releaseDownloads(database, slot.downloads, error.afterSeconds).catch(() => undefined);
      else await Promise.all(slot.downloads.map((leased) => reschedule(leased, error)));
    } finally {
      clearInterval(heartbeat);
    }
  }

  /** Never rejects. */
  private async reschedule(
    database: TransactionalDatabase,
    leased: LeasedDownload,
    { error, isStopped }: { error: unknown; isStopped: boolean },
  ): Promise<void> {
    const { tenantId, importId, number } = leased;
    if (!isStopped)
      this.options.logger.warn(
        { tenant: tenantId, importId, number, err: error },
        'media download rescheduled',
      );
    await downloadTasks
      .reschedule(database, leased, isStopped ? 'STOPPED' : 'SERVICE_UNAVAILABLE')
      // The lease expires by itself.
      .catch(() => undefined);
  }

  /** A failed extension is repeated before the lease expires. */
  private async extend(database: TransactionalDatabase, { slot, stop }: RunningSlot): Promise<void> {
    try {
      if (!(await extendSlot(database, slot))) stop.abort(new Error('The lease is lost'));
    } catch {
      return;
    }
  }
}
