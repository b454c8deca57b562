import { setTimeout as wait } from 'node:timers/promises';

/** Whether a promise settles in time; a rejection in time is thrown. The work is not cancelled at the limit. */
export async function settlesBeforeTimeout(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  const waiting = new AbortController();
  const tooLong = wait(limitMs, false, { signal: waiting.signal });
  // Aborted in the normal case that the work is done first.
  tooLong.catch(() => undefined);
  // A rejection after the limit has no receiver.
  work.catch(() => undefined);
  try {
    return await Promise.race([work.then(() => true), tooLong]);
  } finally {
    waiting.abort();
  }
}
