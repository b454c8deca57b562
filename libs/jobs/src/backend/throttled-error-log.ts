import type { QueueLogger } from './queue-backend.js';

const quietMs = 30_000;

/** Logs one line for each outage, not for each reconnection. */
export function throttledErrorLog(logger: QueueLogger, what: string): (error: unknown) => void {
  let lastAt = 0;
  return (error) => {
    if (Date.now() - lastAt < quietMs) return;
    lastAt = Date.now();
    logger.warn({ err: error }, `${what} is unavailable`);
  };
}
