/** Code of an error without a response: no connection, or an unreachable site. */
export const networkErrorCode = 'NETWORK_ERROR';
/** Code of a redirect: a proxy in front of the site asks for a sign-in. */
export const redirectedCode = 'REDIRECTED';
/** Code of a response that is not from the API: a proxy's page, for example. */
export const unexpectedResponseCode = 'UNEXPECTED_RESPONSE';

const signedOutCodes: ReadonlySet<string> = new Set(['NOT_AUTHENTICATED', redirectedCode]);

export interface ApiErrorInit {
  /** HTTP status; 0 without a readable response. */
  status: number;
  code: string;
  message: string;
  details?: Record<string, unknown> | undefined;
  /** Of the response, for support. */
  requestId?: string | undefined;
  /** Time until a retry makes sense, from Retry-After, in milliseconds. */
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** A call that did not succeed: the error of the API's envelope, or one of the codes above. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor({ status, code, message, details = {}, requestId, retryAfterMs, cause }: ApiErrorInit) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Whether an error means that the user has to sign in again, here or at a proxy in front of the site. */
export function isSignedOut(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 401 || signedOutCodes.has(error.code));
}

/**
 * The time until a retry makes sense.
 * @param value of the header Retry-After: seconds, or an HTTP date
 * @param now milliseconds since the epoch
 * @returns milliseconds, at least 0; undefined without a valid value
 */
export function retryAfterMsOf(value: string | null, now: number): number | undefined {
  if (value === null || value.trim() === '') return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
