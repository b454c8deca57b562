import { createCache } from '@quire/observability';
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

/** A limit that is taken in blocks of calls. */
interface BlockLimit {
  /** Of blocks, in the shared store. */
  limit: RateLimit;
  /** Calls of a block. */
  blockSize: number;
}

const windowSeconds = 60;
/** A limit is taken in at least this many blocks, so that most calls need no statement of the shared store. */
const blocksPerWindow = 30;
const maxCachedKeys = 20_000;

/** Limits calls by token and by site over all processes of the installation (contract 17). */
export class CallLimiter {
  private readonly permits = createCache<Permits>('mcp_permits', { max: maxCachedKeys });
  /** Blocks being taken, by key: parallel calls share one, or each would take its own. */
  private readonly refills = new Map<string, Promise<number | undefined>>();
  private readonly perToken: BlockLimit;
  private readonly perSite: BlockLimit;

  constructor(
    private readonly limiter: Pick<RateLimiter, 'consume'>,
    { callsPerToken, callsPerSite }: CallLimits,
  ) {
    this.perToken = blockLimit('mcp-token', callsPerToken);
    this.perSite = blockLimit('mcp-site', callsPerSite);
  }

  /**
   * Counts calls.
   * @param count entries of a batch
   * @returns seconds until the limit allows more; undefined if it allows these calls
   */
  async consume(tenantId: string, tokenId: string, count: number): Promise<number | undefined> {
    return (
      (await this.take(this.perToken, `${tenantId}/${tokenId}`, count)) ??
      (await this.take(this.perSite, tenantId, count))
    );
  }

  private async take(limit: BlockLimit, key: string, count: number): Promise<number | undefined> {
    const id = `${limit.limit.name}:${key}`;
    for (;;) {
      const permits = this.usablePermits(id);
      if (permits.count >= count) {
        permits.count -= count;
        return undefined;
      }
      const retryAfterSeconds = await this.refill(id, limit, key);
      if (retryAfterSeconds !== undefined && this.usablePermits(id).count < count) return retryAfterSeconds;
    }
  }

  /** Takes one block. @returns seconds until the next one; undefined if it was taken */
  private async refill(id: string, limit: BlockLimit, key: string): Promise<number | undefined> {
    const started = this.refills.get(id);
    if (started) return started;
    const refill = this.takeBlock(id, limit, key).finally(() => this.refills.delete(id));
    this.refills.set(id, refill);
    return refill;
  }

  private async takeBlock(
    id: string,
    { limit, blockSize }: BlockLimit,
    key: string,
  ): Promise<number | undefined> {
    const { allowed, retryAfterSeconds } = await this.limiter.consume(limit, key);
    if (!allowed) return retryAfterSeconds;
    const expiresAt = performance.now() + retryAfterSeconds * 1000;
    this.permits.set(id, { count: this.usablePermits(id).count + blockSize, expiresAt });
    return undefined;
  }

  private usablePermits(id: string): Permits {
    const permits = this.permits.get(id);
    return permits && permits.expiresAt > performance.now() ? permits : { count: 0, expiresAt: 0 };
  }
}

/** Blocks divide the limit without a remainder, so that exactly `max` calls pass. */
function blockLimit(name: string, max: number): BlockLimit {
  let blockSize = Math.max(1, Math.floor(max / blocksPerWindow));
  while (max % blockSize !== 0) blockSize -= 1;
  return { limit: { name, limit: max / blockSize, windowSeconds }, blockSize };
}
