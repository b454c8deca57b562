import { LRUCache } from 'lru-cache';

const maxFailures = 10;
const windowMs = 60_000;
const maxAddresses = 1_000;

/** Counts failed sign-ins of client addresses in this process, which is the only one with its operations port. */
export class FailureLimit {
  private readonly failures = new LRUCache<string, { count: number; endsAt: number }>({ max: maxAddresses });

  constructor(private readonly now: () => number = Date.now) {}

  /** Seconds until the address may try again; 0 if it may do so now. */
  retryAfterSeconds(address: string): number {
    const known = this.failures.get(address);
    if (!known || known.count < maxFailures) return 0;
    return Math.max(0, Math.ceil((known.endsAt - this.now()) / 1000));
  }

  /** Counts a failure. */
  add(address: string): void {
    const known = this.failures.get(address);
    if (known && known.endsAt > this.now()) known.count += 1;
    else this.failures.set(address, { count: 1, endsAt: this.now() + windowMs });
  }
}
