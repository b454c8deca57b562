import { DownloadFailure } from './download-failure.js';

/** Limits of a slow source. */
export interface TransferLimits {
  /** Time to the beginning of the response, with its redirects. */
  responseMs: number;
  /** Time without bytes. */
  stallMs: number;
  /** A source that sends one byte at a time must not hold a slot: after the grace it has to be this fast on average. */
  minBytesPerSecond: number;
  graceMs: number;
  /** Of the whole download; below the time for which objects are reserved. */
  totalMs: number;
}

export const defaultTransferLimits: TransferLimits = {
  responseMs: 30_000,
  stallMs: 30_000,
  minBytesPerSecond: 4 * 1024,
  graceMs: 60_000,
  totalMs: 45 * 60_000,
};

/** Aborts a transfer that is too slow. */
export class TransferWatch {
  private readonly late = new AbortController();
  private readonly startedAt = performance.now();
  private lastAt: number | undefined;
  private received = 0;
  private readonly timer: NodeJS.Timeout;
  readonly signal = this.late.signal;

  constructor(private readonly limits: TransferLimits) {
    const everyMs = Math.max(10, Math.min(1_000, limits.responseMs, limits.stallMs) / 4);
    this.timer = setInterval(() => this.check(), everyMs);
  }

  /** Call when the response begins, and for each part of it. */
  progress(bytes: number): void {
    this.lastAt = performance.now();
    this.received += bytes;
  }

  /** Whether the source has responded. */
  get hasResponse(): boolean {
    return this.lastAt !== undefined;
  }

  end(): void {
    clearInterval(this.timer);
  }

  private check(): void {
    if (!this.isLate(performance.now())) return;
    this.end();
    const text = 'The server is too slow or does not respond';
    this.late.abort(
      new DownloadFailure(text, { isTemporary: true, isUnreachable: this.lastAt === undefined }),
    );
  }

  private isLate(now: number): boolean {
    const { responseMs, stallMs, minBytesPerSecond, graceMs, totalMs } = this.limits;
    const elapsedMs = now - this.startedAt;
    if (elapsedMs > totalMs) return true;
    if (this.lastAt === undefined) return elapsedMs > responseMs;
    return now - this.lastAt > stallMs || elapsedMs > graceMs + (this.received * 1000) / minBytesPerSecond;
  }
}
