import { createHash } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';

/** A limit on uses in a fixed window, for each key. */
export interface RateLimit {
  /** Name of the limit: "passkey-options". */
  name: string;
  limit: number;
  windowSeconds: number;
}

export interface RateDecision {
  allowed: boolean;
  /** Whole seconds until the window ends, at least 1: the value of Retry-After. */
  retryAfterSeconds: number;
}

/** Counts uses over all processes of an installation (spec document 1, Limits). */
export interface RateLimiter {
  /**
   * Counts one use by a key, such as a client address; the key is stored as a hash. Uses of a name with another limit
   * or window are counted separately. While the store is down each process counts separately: limits get laxer,
   * requests neither fail nor wait.
   */
  consume(limit: RateLimit, key: string): Promise<RateDecision>;
  close(): Promise<void>;
}

/** The part of a logger that the limiter needs. */
export interface RateLimitLogger {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

/** A store of counts. */
export interface LimitStore {
  /** Creates the store's limiter of one limit, with a separate key prefix. */
  open(limit: RateLimit, keyPrefix: string): RateLimiterAbstract;
  close(): Promise<void>;
}

/** Time without calls to the store after a failure, so that no request waits for an unresponsive store. */
const circuitOpenMs = 2_000;
/** A store that accepts a command and does not respond counts as down. */
const storeTimeoutMs = 1_500;

interface Limiters {
  stored: RateLimiterAbstract;
  /** Counts in this process while the store is down. */
  fallback: RateLimiterMemory;
}

/** The port over rate-limiter-flexible, for any store. */
export function createLimiter(store: LimitStore, logger: RateLimitLogger): RateLimiter {
  const limiters = new Map<string, Limiters>();
  let isStoreDown = false;
  let circuitOpenUntil = 0;

  function limitersOf(limit: RateLimit): Limiters {
    const prefix = `${limit.name}:${limit.limit}:${limit.windowSeconds}`;
    let known = limiters.get(prefix);
    if (!known) {
      const fallback = new RateLimiterMemory({ points: limit.limit, duration: limit.windowSeconds });
      limiters.set(prefix, (known = { stored: store.open(limit, prefix), fallback }));
    }
    return known;
  }

  return {
    async consume(limit, key) {
      const { stored, fallback } = limitersOf(limit);
      const hashed = createHash('sha256').update(key).digest('base64url');
      if (Date.now() < circuitOpenUntil) return decide(fallback, hashed);
      try {
        const decided = await withTimeout(decide(stored, hashed));
        if (isStoreDown) logger.info({}, 'rate limit store recovered');
        isStoreDown = false;
        return decided;
      } catch (error) {
        circuitOpenUntil = Date.now() + circuitOpenMs;
        // One line for each outage, without the key.
        if (!isStoreDown) logger.warn({ err: error }, 'rate limit store unavailable: counting per process');
        isStoreDown = true;
        return decide(fallback, hashed);
      }
    },
    close: () => store.close(),
  };
}

/** @throws Error when the store fails; exceeding the limit is a result, not an error */
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

async function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${storeTimeoutMs} ms`)), storeTimeoutMs);
  });
  // A rejection after the limit has no receiver.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
