/** How much work may run, and wait, at once. */
export interface FairQueueLimits {
  /** Pieces of work that run at once. */
  maxRunning: number;
  /** Of them, those of one tenant; fewer than `maxRunning`, so that a slow tenant leaves turns to the others. */
  maxRunningPerTenant: number;
  /** Pieces of work of one tenant that may wait; unlimited unless given. */
  maxWaitingPerTenant?: number;
  /** Pieces of work of all tenants that may wait; unlimited unless given. */
  maxWaiting?: number;
}

/** Lets a bounded number of pieces of work run at once. Tenants that wait take turns, one piece of work each. */
export class FairQueue {
  /** Work that waits, by tenant, in the order in which the tenants come next. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private readonly running = new Map<string, number>();
  private waitingCount = 0;
  private runningCount = 0;

  constructor(private readonly limits: FairQueueLimits) {}

  /** Whether another piece of work of a tenant may wait. */
  hasCapacity(tenantId: string): boolean {
    const { maxWaitingPerTenant = Infinity, maxWaiting = Infinity } = this.limits;
    const ofTenant = this.waiting.get(tenantId)?.length ?? 0;
    return ofTenant < maxWaitingPerTenant && this.waitingCount < maxWaiting;
  }

  /** Runs a piece of work when the turn of its tenant comes. */
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
      // Whoever else of this tenant waits comes after the other tenants.
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
