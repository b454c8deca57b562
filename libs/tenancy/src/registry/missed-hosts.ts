const retryMs = 100;
const windowMs = 1_000;
const maxLookUps = 50;

/**
 * Hosts that were looked up and not found. Each is looked up again after a tenth of a second, and all of them together
 * at most 50 times a second: any caller can send requests with any host.
 */
export class MissedHosts {
  private readonly missedAt = new Map<string, number>();
  private windowStart = 0;
  private lookUps = 0;

  constructor(private readonly now: () => number = () => Date.now()) {}

  /** Whether a host may be looked up now, which the caller then does. */
  mayLookUp(host: string): boolean {
    const now = this.now();
    if (now - (this.missedAt.get(host) ?? -Infinity) < retryMs) return false;
    if (now - this.windowStart >= windowMs) {
      this.windowStart = now;
      this.lookUps = 0;
      this.forgetBefore(now - retryMs);
    }
    if (this.lookUps >= maxLookUps) return false;
    this.lookUps += 1;
    this.missedAt.set(host, now);
    return true;
  }

  /** A host that was found is not missed. */
  delete(host: string): void {
    this.missedAt.delete(host);
  }

  clear(): void {
    this.missedAt.clear();
  }

  private forgetBefore(time: number): void {
    for (const [host, at] of this.missedAt) if (at <= time) this.missedAt.delete(host);
  }
}
