import { setTimeout as wait } from 'node:timers/promises';

/** Whether something settles in time; what it rejects with in time is thrown. It is not stopped when it does not. */
export async function settlesBeforeTimeout(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  const waiting = new AbortController();
  const tooLong = wait(limitMs, false, { signal: waiting.signal });
  // Aborted when the work is done first, which is the rule.
  tooLong.catch(() => undefined);
  // A rejection after the limit has no receiver.
  work.catch(() => undefined);
  try {
    return await Promise.race([work.then(() => true), tooLong]);
  } finally {
    waiting.abort();
  }
}
