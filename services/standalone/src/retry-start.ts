import { setTimeout as wait } from 'node:timers/promises';
import { isConnectionLost } from '@quire/database';
import type { Logger } from '@quire/observability';

/**
 * Runs the start of a process, and repeats it while the database loses connections or takes too long to accept them:
 * many processes that start together keep a machine busy, and a server may restart. A refused connection ends the start
 * at once.
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
      if (!isConnectionLost(error) || Date.now() > end) throw error;
      logger.warn({ err: error }, 'the database accepts no connection: the start is repeated');
    }
    await wait(pauseMs);
  }
}
