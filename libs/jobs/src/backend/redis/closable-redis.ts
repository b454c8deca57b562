import { Redis, type RedisOptions } from 'ioredis';

/**
 * A Redis client that ends when it is told to, while Redis is down as well. ioredis 5.11 only cancels its next attempt:
 * the client never reaches `end`, what waits for an answer waits for ever, and so does BullMQ's `Worker.close()`
 * (redis/ioredis#1830, taskforcesh/bullmq#4656). BullMQ blocks on duplicates of a client; they are such clients too.
 */
export class ClosableRedis extends Redis {
  private readonly duplicates = new Set<ClosableRedis>();
  private isEnding = false;

  override duplicate(override?: Partial<RedisOptions>): ClosableRedis {
    const made = new ClosableRedis({ ...this.options, ...override });
    // Kept when it has ended: BullMQ may connect it again. There are as many as workers and relays.
    this.duplicates.add(made);
    // BullMQ stops listening before the last attempt has failed; ioredis would print that.
    made.on('error', () => undefined);
    return made;
  }

  override disconnect(reconnect = false): void {
    if (reconnect || this.status !== 'reconnecting') {
      super.disconnect(reconnect);
      return;
    }
    if (this.isEnding) return;
    this.isEnding = true;
    // The attempt that is due is the last: it fails, or what it connects is ended.
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
