import { setTimeout as wait } from 'node:timers/promises';
import { isConnectionTimeout } from '@quire/database';
import type { Logger } from '@quire/observability';

/**
 * Runs the start of a process, and repeats it while the database takes too long to accept connections: many processes
 * that start together keep a machine busy. A database that refuses connections ends the start at once.
 * @param start it leaves nothing running when it fails
 * @param options.timeoutMs time after which the start is not repeated
 * @throws the error of the last attempt
 */
export async function retryStart<Result>(
  start: () => Promise<Result>,
  logger: Pick<Logger, 'warn'>,
  { timeoutMs = 60_000, pauseMs = 1_000 } = {},
): Promise<Result> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (!isConnectionTimeout(error) || Date.now() > end) throw error;
      logger.warn({ err: error }, 'the database takes too long to accept connections: the start is repeated');
    }
    await wait(pauseMs);
  }
}
