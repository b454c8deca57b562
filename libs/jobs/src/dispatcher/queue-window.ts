import type { JobQueue } from '../backend/index.js';

/** A count of waiting jobs is used for this time. */
export const countMaxAgeMs = 100;
const initialSize = 100;
const minSize = 10;
const maxSize = 2_000;
/** The jobs that wait in a queue should be done in this time: no other job waits longer behind them. */
const targetSeconds = 1;

/**
 * Limits how many jobs wait in a queue, so that the others wait in the outbox, where each site has its turn. The size
 * follows the rate at which workers take jobs: it is about the work of a second.
 */
export class QueueWindow {
  private size = initialSize;
  private waiting = 0;
  /** Jobs added since the count. */
  private added = 0;
  private countedAt = -Infinity;
  /** Whether the window has held jobs back since the last count. */
  hasHeldBack = false;

  constructor(private readonly queue: Pick<JobQueue, 'waiting'>) {}

  /** Number of jobs that may be added now. @throws when the store does not respond */
  async room(): Promise<number> {
    if (performance.now() - this.countedAt >= countMaxAgeMs) await this.count();
    return Math.max(0, this.size - this.waiting - this.added);
  }

  /** Notes jobs that were added, and whether others were held back. */
  note({ added, hasHeldBack }: { added: number; hasHeldBack: boolean }): void {
    this.added += added;
    this.hasHeldBack ||= hasHeldBack;
  }

  private async count(): Promise<void> {
    const waiting = await this.queue.waiting();
    const now = performance.now();
    const taken = this.waiting + this.added - waiting;
    // Only a queue with more work than the window shows the rate of its workers.
    if (this.hasHeldBack) this.resize(waiting, taken / ((now - this.countedAt) / 1_000));
    this.waiting = waiting;
    this.added = 0;
    this.countedAt = now;
    this.hasHeldBack = false;
  }

  private resize(waiting: number, perSecond: number): void {
    const size = waiting === 0 ? this.size * 2 : Math.min(this.size * 2, perSecond * targetSeconds);
    this.size = Math.round(Math.min(maxSize, Math.max(minSize, size)));
  }
}
