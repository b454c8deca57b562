/** A file could not be downloaded, through no fault of the installation. */
export class DownloadFailure extends Error {
  override readonly name = 'DownloadFailure';
  /** Whether another attempt may succeed: timeouts, broken connections, 5xx and 429 (contract 1.5). */
  readonly isTemporary: boolean;
  /** Set by a 429 or 503: the host gets fewer requests, and none for so long (Retry-After; 0 without one). */
  readonly throttleSeconds: number | undefined;
  /** Whether the host has not responded at all. */
  readonly isUnreachable: boolean;

  /** @param text shown to the user */
  constructor(
    readonly text: string,
    {
      isTemporary = false,
      throttleSeconds,
      isUnreachable = false,
      cause,
    }: { isTemporary?: boolean; throttleSeconds?: number; isUnreachable?: boolean; cause?: unknown } = {},
  ) {
    super(text, cause === undefined ? undefined : { cause });
    this.isTemporary = isTemporary;
    this.throttleSeconds = throttleSeconds;
    this.isUnreachable = isUnreachable;
  }
}

/** Longer waits of a source are cut: it is asked again then. */
const maxRetryAfterSeconds = 3_600;

/** The failure of a response other than 2xx. */
export function responseFailure(status: number, retryAfter: string | null): DownloadFailure {
  const isThrottled = status === 429 || status === 503;
  return new DownloadFailure(`HTTP ${status}`, {
    isTemporary: status === 429 || status >= 500,
    ...(isThrottled && { throttleSeconds: secondsOf(retryAfter) }),
  });
}

/** Seconds of a Retry-After header: a number, or a date (RFC 9110, 10.2.3). */
function secondsOf(retryAfter: string | null): number {
  const text = retryAfter?.trim() ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? 0 : Math.min(maxRetryAfterSeconds, Math.max(0, Math.ceil(seconds)));
}
