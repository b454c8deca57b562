import { Semaphore, withTimeout, type SemaphoreInterface } from 'async-mutex';
import { unavailable } from './failures.js';

/** The part of the pool that is left to others, rounded down. */
const reservedPart = 1 / 4;

/**
 * Limits the connections that one site has at the same time to three quarters of the pool, so that slow statements of
 * one site leave connections to the others (G6). Requests beyond the limit wait in their order.
 */
export class ConnectionShare {
  /** Number of connections of one site. */
  readonly max: number;
  /** Semaphores in use, by schema. */
  private readonly semaphores = new Map<string, SemaphoreInterface>();
  private waitingCount = 0;

  constructor(
    poolSize: number,
    private readonly timeoutMs: number,
  ) {
    this.max = poolSize - Math.floor(poolSize * reservedPart);
  }

  /** Number of requests that wait for a connection of their site. */
  get waiting(): number {
    return this.waitingCount;
  }

  /**
   * Waits for a free place of a site.
   * @returns a function that releases it
   * @throws QuireError SERVICE_UNAVAILABLE after the timeout
   */
  async acquire(schema: string): Promise<() => void> {
    const semaphore = this.semaphores.get(schema) ?? this.createSemaphore();
    this.semaphores.set(schema, semaphore);
    this.waitingCount += 1;
    try {
      await semaphore.acquire();
    } finally {
      this.waitingCount -= 1;
    }
    return () => {
      semaphore.release();
      if (semaphore.getValue() === this.max) this.semaphores.delete(schema);
    };
  }

  private createSemaphore(): SemaphoreInterface {
    const error = unavailable('The site uses its share of database connections; retry later', undefined);
    return withTimeout(new Semaphore(this.max), this.timeoutMs, error);
  }
}
