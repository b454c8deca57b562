import { LRUCache } from 'lru-cache';
import type { RateLimit, RateLimiter } from '@quire/rate-limit';

export interface CallLimits {
  /** Calls a minute of one token. */
  callsPerToken: number;
  /** Calls a minute of one site. */
  callsPerSite: number;
}

/** Calls that a process may pass without asking the shared limiter. */
interface Permits {
  count: number;
  /** Time of `performance.now()` after which they must not be used. */
  expiresAt: number;
}

const windowSeconds = 60;
/** A limit is taken in this many blocks, so that most calls need no statement of the shared store. */
const blocksPerWindow = 30;
const maxCachedKeys = 20_000;

/** Limits calls by token and by site over all processes of the installation (contract 17). */
export class CallLimiter {
  private readonly permits = new LRUCache<string, Permits>({ max: maxCachedKeys });

  constructor(
    private readonly limiter: Pick<RateLimiter, 'consume'>,
    private readonly limits: CallLimits,
  ) {}

  /**
   * Counts calls.
   * @param count entries of a batch
   * @returns seconds until the limit allows more; undefined if it allows these calls
   */
  async consume(tenantId: string, tokenId: string, count: number): Promise<number | undefined> {
    const { callsPerToken, callsPerSite } = this.limits;
    return (
      (await this.take('mcp-token', `${tenantId}/${tokenId}`, { max: callsPerToken, count })) ??
      (await this.take('mcp-site', tenantId, { max: callsPerSite, count }))
    );
  }

  private async take(
    name: string,
    key: string,
    { max, count }: { max: number; count: number },
  ): Promise<number | undefined> {
    const blockSize = Math.ceil(max / blocksPerWindow);
    const limit: RateLimit = { name, limit: Math.floor(max / blockSize), windowSeconds };
    const id = `${name}:${key}`;
    while (this.countOf(id) < count) {
      const { allowed, retryAfterSeconds } = await this.limiter.consume(limit, key);
      if (!allowed) return retryAfterSeconds;
      const expiresAt = performance.now() + retryAfterSeconds * 1000;
      this.permits.set(id, { count: this.countOf(id) + blockSize, expiresAt });
    }
    const permits = this.permits.get(id);
    if (permits) permits.count -= count;
    return undefined;
  }

  private countOf(id: string): number {
    const permits = this.permits.get(id);
    return permits && permits.expiresAt > performance.now() ? permits.count : 0;
  }
}
