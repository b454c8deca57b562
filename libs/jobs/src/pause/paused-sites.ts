import type { Queryable } from '@quire/database';
import { everyQueue, listQueuePauses, type QueuePause } from '@quire/tenancy';
import type { QueueLogger } from '../backend/index.js';
import type { JobDeclaration } from '../declare/declare-job.js';
import type { MessageGroup } from '../outbox/claim-messages.js';

const defaultReadEveryMs = 1_000;
const none: ReadonlySet<string> = new Set();

/**
 * The sites whose jobs in a queue are paused, as this process knows them: one statement a second, whatever the number
 * of queues, sites and jobs. While the registry's database does not respond, the last known pauses are in force, so
 * neither dispatchers nor workers wait for it.
 */
export class PausedSites {
  private byQueue: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  private readonly listeners: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isStopped = false;
  private hasFailed = false;

  /** @param registry the registry's schema */
  constructor(
    private readonly registry: Queryable,
    private readonly logger: QueueLogger,
    private readonly readEveryMs = defaultReadEveryMs,
  ) {}

  /** Reads the pauses now, and once a second until `stop`. Resolves after the first read, even if it fails. */
  async start(): Promise<void> {
    this.running = this.read();
    await this.running;
    if (this.isStopped) return;
    this.timer = setTimeout(() => void this.start(), this.readEveryMs);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Ids of the sites whose jobs in a queue are paused, with those of suspended sites. */
  of(queue: string): ReadonlySet<string> {
    const suspended = this.byQueue.get(everyQueue) ?? none;
    const paused = this.byQueue.get(queue) ?? none;
    if (suspended.size === 0 || paused.size === 0) return paused.size === 0 ? suspended : paused;
    return new Set([...suspended, ...paused]);
  }

  /** The groups of messages of paused sites, among those of some jobs. */
  groupsOf(jobs: Iterable<Pick<JobDeclaration, 'name' | 'queue'>>): MessageGroup[] {
    return [...jobs].flatMap(({ name, queue }) =>
      [...this.of(queue)].map((tenant) => ({ tenant, job: name })),
    );
  }

  /** Calls the listener after each read that found a change. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  private async read(): Promise<void> {
    try {
      this.update(await listQueuePauses(this.registry));
      this.hasFailed = false;
    } catch (error) {
      // One line for each outage.
      if (!this.hasFailed)
        this.logger.warn({ err: error }, 'paused sites cannot be read: the last known ones stay paused');
      this.hasFailed = true;
    }
  }

  private update(pauses: readonly QueuePause[]): void {
    const before = this.byQueue;
    const present = new Map<string, Set<string>>();
    for (const { queue, tenantId } of pauses)
      present.set(queue, (present.get(queue) ?? new Set()).add(tenantId));
    this.byQueue = present;
    const paused = difference(present, before);
    const resumed = difference(before, present);
    for (const fields of paused) this.logger.info(fields, 'jobs of a site are paused');
    for (const fields of resumed) this.logger.info(fields, 'jobs of a site are resumed');
    if (paused.length + resumed.length > 0) for (const listener of this.listeners) listener();
  }
}

type Sites = ReadonlyMap<string, ReadonlySet<string>>;

/** The pauses of one list that are not in another. */
function difference(some: Sites, others: Sites): { queue: string; tenant: string }[] {
  return [...some].flatMap(([queue, tenants]) =>
    [...tenants].filter((tenant) => !others.get(queue)?.has(tenant)).map((tenant) => ({ queue, tenant })),
  );
}
