import { Redis, type RedisOptions } from 'ioredis';

/**
 * A Redis client that knows its duplicates. BullMQ makes one for each worker and relay, to block on, and cannot be made to
 * let go of it while Redis is down: it would reconnect for ever and keep the process alive.
 */
export class TrackedRedis extends Redis {
  private readonly duplicates = new Set<Redis>();

  override duplicate(override?: Partial<RedisOptions>): Redis {
    const made = super.duplicate(override);
    this.duplicates.add(made);
    made.once('end', () => this.duplicates.delete(made));
    return made;
  }

  /** Ends this connection and those of all duplicates. */
  disconnectAll(): void {
    for (const duplicate of this.duplicates) duplicate.disconnect();
    this.disconnect();
  }
}
