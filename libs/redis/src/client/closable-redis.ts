import { Redis, type RedisOptions } from 'ioredis';

/**
 * A Redis client that can be closed while Redis is down. ioredis 5.11 only cancels its next attempt: the client never
 * reaches `end`, pending commands wait for ever, and so does BullMQ's `Worker.close()` (redis/ioredis#1830,
 * taskforcesh/bullmq#4656). BullMQ blocks on duplicates of a client; they are of this class too.
 */
export class ClosableRedis extends Redis {
  private readonly duplicates = new Set<ClosableRedis>();
  private isEnding = false;

  override duplicate(override?: Partial<RedisOptions>): ClosableRedis {
    const duplicate = new ClosableRedis({ ...this.options, ...override });
    // Retained after its end: BullMQ may connect it again. There are as many as workers and relays.
    this.duplicates.add(duplicate);
    // BullMQ removes its listener before the last attempt has failed; ioredis would print that error.
    duplicate.on('error', () => undefined);
    return duplicate;
  }

  override disconnect(reconnect = false): void {
    if (reconnect || this.status !== 'reconnecting') {
      super.disconnect(reconnect);
      return;
    }
    if (this.isEnding) return;
    this.isEnding = true;
    // The pending attempt is the last: it fails, or its connection is closed.
    const { retryStrategy } = this.options;
    const end = () => super.disconnect();
    this.options.retryStrategy = () => null;
    this.once('connect', end);
    this.once('end', () => {
      this.isEnding = false;
      this.options.retryStrategy = retryStrategy;
      this.off('connect', end);
    });
  }

  /** Ends this connection and those of its duplicates. */
  disconnectAll(): void {
    for (const duplicate of this.duplicates) duplicate.disconnectAll();
    this.disconnect();
  }
}
