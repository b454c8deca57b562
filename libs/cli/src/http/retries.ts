import { SiteError } from '../command-error.js';
import { ConnectionError } from './http-client.js';

const firstDelayMs = 1_000;
const maxDelayMs = 30_000;
/** Failures without progress after which a command ends: a minute and a half. */
const maxFailures = 8;

/** Waits; rejects with the reason of the signal. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

/** Counts the failures of a work that is repeated until it succeeds. */
export class Retries {
  private failures = 0;

  constructor(
    private readonly sleep: Sleep,
    private readonly signal: AbortSignal,
  ) {}

  /** The work has made progress: earlier failures no longer count. */
  reset(): void {
    this.failures = 0;
  }

  /**
   * Waits before the next attempt: twice as long each time, or as long as the site asks for.
   * @throws the error itself when another attempt cannot succeed, or after too many
   */
  async waitAfter(error: unknown): Promise<void> {
    this.signal.throwIfAborted();
    this.failures += 1;
    if (!isTransient(error) || this.failures >= maxFailures) throw error;
    const delayMs = Math.min(firstDelayMs * 2 ** (this.failures - 1), maxDelayMs);
    await this.sleep(Math.max(delayMs, askedDelayMs(error)), this.signal);
  }
}

/** Whether a later request may succeed after an error. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  return (
    error instanceof SiteError && (error.status >= 500 || error.status === 429 || isTransientConflict(error))
  );
}

/** Conflicts of an export that a later request does not have (contract 25). */
function isTransientConflict({ code }: SiteError): boolean {
  return code === 'TRANSFER_LEASE_ACTIVE' || code === 'TRANSFER_EXPORT_CONCURRENT_WRITES';
}

function askedDelayMs(error: unknown): number {
  return error instanceof SiteError ? (error.retryAfterMs ?? 0) : 0;
}
