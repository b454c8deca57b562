/** Limits of running and waiting tasks. */
export interface FairQueueLimits {
  /** Running tasks. */
  maxRunning: number;
  /** Running tasks of one tenant; fewer than `maxRunning`, so that a slow tenant does not block others. */
  maxRunningPerTenant: number;
  /** Waiting tasks of one tenant; unlimited by default. */
  maxWaitingPerTenant?: number;
  /** Waiting tasks of all tenants; unlimited by default. */
  maxWaiting?: number;
}

/** Runs a limited number of tasks concurrently. Waiting tenants take turns, one task each. */
export class FairQueue {
  /** Waiting tasks by tenant, in the order of the tenants' turns. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private readonly running = new Map<string, number>();
  private waitingCount = 0;
  private runningCount = 0;

  constructor(private readonly limits: FairQueueLimits) {}

  /** Whether another task of a tenant may wait. */
  hasCapacity(tenantId: string): boolean {
    const { maxWaitingPerTenant = Infinity, maxWaiting = Infinity } = this.limits;
    const ofTenant = this.waiting.get(tenantId)?.length ?? 0;
    return ofTenant < maxWaitingPerTenant && this.waitingCount < maxWaiting;
  }

  /** Runs a task when its tenant has its turn. */
  async run<Result>(tenantId: string, work: () => Promise<Result>): Promise<Result> {
    await this.turn(tenantId);
    try {
      return await work();
    } finally {
      this.count(tenantId, -1);
      this.startNext();
    }
  }

  private turn(tenantId: string): Promise<void> {
    if (this.canRun(tenantId)) {
      this.count(tenantId, 1);
      return Promise.resolve();
    }
    return new Promise((resume) => {
      const others = this.waiting.get(tenantId);
      if (others) others.push(resume);
      else this.waiting.set(tenantId, [resume]);
      this.waitingCount += 1;
    });
  }

  private startNext(): void {
    for (const [tenantId, turns] of this.waiting) {
      if (!this.canRun(tenantId)) continue;
      const resume = turns.shift();
      // Other tasks of this tenant wait until the other tenants have had their turn.
      this.waiting.delete(tenantId);
      if (turns.length > 0) this.waiting.set(tenantId, turns);
      this.waitingCount -= 1;
      this.count(tenantId, 1);
      resume?.();
      return;
    }
  }

  private canRun(tenantId: string): boolean {
    const ofTenant = this.running.get(tenantId) ?? 0;
    return this.runningCount < this.limits.maxRunning && ofTenant < this.limits.maxRunningPerTenant;
  }

  private count(tenantId: string, change: 1 | -1): void {
    this.runningCount += change;
    const ofTenant = (this.running.get(tenantId) ?? 0) + change;
    if (ofTenant === 0) this.running.delete(tenantId);
    else this.running.set(tenantId, ofTenant);
  }
}
