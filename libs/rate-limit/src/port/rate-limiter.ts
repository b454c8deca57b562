import { createHash } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';

/** A limit on something: so many in a fixed window, for each key. */
export interface RateLimit {
  /** What is limited: "passkey-options". */
  name: string;
  limit: number;
  windowSeconds: number;
}

export interface RateDecision {
  allowed: boolean;
  /** Whole seconds until the window ends, at least 1; what Retry-After says. */
  retryAfterSeconds: number;
}

/** Counts uses over all processes of an installation (spec document 1, Limits). */
export interface RateLimiter {
  /**
   * Counts one use by a key, say a client address; the key is stored as a hash.
   * While the store is down each process counts for itself: limits get laxer, requests do not fail.
   */
  consume(limit: RateLimit, key: string): Promise<RateDecision>;
  close(): Promise<void>;
}

/** Makes the store's limiter of one limit; `insurance` is what counts while the store is down. */
export type OpenLimiter = (limit: RateLimit, insurance: RateLimiterMemory) => RateLimiterAbstract;

/** The port over rate-limiter-flexible, whatever store it counts in. */
export function flexibleLimiter(open: OpenLimiter, close: () => Promise<void>): RateLimiter {
  const limiters = new Map<string, RateLimiterAbstract>();
  return {
    async consume(limit, key) {
      let limiter = limiters.get(limit.name);
      if (!limiter) {
        const insurance = new RateLimiterMemory({ points: limit.limit, duration: limit.windowSeconds });
        limiters.set(limit.name, (limiter = open(limit, insurance)));
      }
      return decide(limiter, createHash('sha256').update(key).digest('base64url'));
    },
    close,
  };
}

async function decide(limiter: RateLimiterAbstract, key: string): Promise<RateDecision> {
  try {
    return decision(true, await limiter.consume(key));
  } catch (refused) {
    // The library throws its result when the limit is reached, and an Error for anything else.
    if (refused instanceof RateLimiterRes) return decision(false, refused);
    throw refused;
  }
}

function decision(allowed: boolean, { msBeforeNext }: RateLimiterRes): RateDecision {
  return { allowed, retryAfterSeconds: Math.max(1, Math.ceil(msBeforeNext / 1000)) };
}
