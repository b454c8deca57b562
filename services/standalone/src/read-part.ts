import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '@quire/observability';

/** A part whose store does not respond in this time is unavailable. */
const partTimeoutMs = 4_000;

/** Reads a part of a report. @returns null, with a line in the log, when its store fails or does not respond in time */
export async function readPart<Part>(
  logger: Pick<Logger, 'warn'>,
  name: string,
  read: () => Promise<Part>,
): Promise<Part | null> {
  try {
    return await withTimeout(read());
  } catch (error) {
    logger.warn({ err: error, part: name }, 'part of a report is unavailable');
    return null;
  }
}

/** @throws Error when a part takes too long */
async function withTimeout<Part>(reading: Promise<Part>): Promise<Part> {
  const waiting = new AbortController();
  const late = wait(partTimeoutMs, undefined, { signal: waiting.signal }).then(() => {
    throw new Error(`no response within ${partTimeoutMs} ms`);
  });
  // Both may reject when the other has settled.
  late.catch(() => undefined);
  reading.catch(() => undefined);
  try {
    return await Promise.race([reading, late]);
  } finally {
    waiting.abort();
  }
}
