const windowMs = 60_000;
const maxTenants = 20;

/** Counts the requests of sites by the minute. The cost of a request is one look-up. */
export class BusiestTenants {
  private counts = new Map<string, number>();
  private complete: ReadonlyMap<string, number> = new Map();
  private startedAt: number;

  constructor(private readonly now: () => number = Date.now) {
    this.startedAt = now();
  }

  add(tenant: string): void {
    this.advance();
    this.counts.set(tenant, (this.counts.get(tenant) ?? 0) + 1);
  }

  /** Requests per second in the last complete minute, of the 20 sites with the most of them. */
  rates(): [tenant: string, rate: number][] {
    this.advance();
    return [...this.complete]
      .sort(([, left], [, right]) => right - left)
      .slice(0, maxTenants)
      .map(([tenant, count]) => [tenant, count / (windowMs / 1000)]);
  }

  private advance(): void {
    const passed = Math.floor((this.now() - this.startedAt) / windowMs);
    if (passed < 1) return;
    // A minute without a request has no counts.
    this.complete = passed === 1 ? this.counts : new Map();
    this.counts = new Map();
    this.startedAt += passed * windowMs;
  }
}
