import { setTimeout as wait } from 'node:timers/promises';
import type { NewJob, QueueBackend } from '../queue-backend.js';

/** The store of a conformance suite. */
export interface StoreUnderTest {
  /** Address of the real store. */
  url: () => string;
  /** Opens a backend on the store at an address. */
  open: (url: string) => QueueBackend;
}

const maxWaitMs = 25_000;
let count = 0;
/** A name that no other case uses, for a queue or a topic. */
export const freshName = () => `case-${process.pid}-${Date.now()}-${(count += 1)}`;

export const oneWorker = { concurrency: 1, lockSeconds: 5, maxStalls: 1 };
export const stopWithinSeconds = 5;

/** A job with every option filled. */
export function job(id: string, options: Partial<NewJob> = {}): NewJob {
  return {
    name: 'work',
    id,
    data: { id },
    delayMs: 0,
    attempts: 1,
    backoffMs: 50,
    keepCompleted: 100,
    keepFailed: 100,
    ...options,
  };
}

/** Waits until a condition is met. @throws when it is not met in time */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + maxWaitMs;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error('It did not happen in time');
    await wait(20);
  }
}
