import { errorStatus, type ErrorCode } from './error-codes.js';

export type ErrorDetails = Record<string, unknown>;

export interface Issue {
  /** The place in the input, parts joined by dots; "" is the root. */
  path: string;
  /** A stable reason; only some rules have one (field rules do). */
  code?: string;
  message: string;
}

/**
 * The one error type that operations throw. Its message and details reach the client, so they never carry database
 * messages, secrets or rows. Spec document 1, Errors.
 */
export class QuireError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;
  /** Seconds after which a retry makes sense; sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined;
  private readonly ownStatus: 409 | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    extra: { details?: ErrorDetails; retryAfterSeconds?: number; status?: 409; cause?: unknown } = {},
  ) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.name = 'QuireError';
    this.code = code;
    this.details = extra.details;
    this.retryAfterSeconds = extra.retryAfterSeconds;
    this.ownStatus = extra.status;
  }

  /** The status of the code. INVALID_STATE has two in document 1: it is 409 after a concurrent change. */
  get status(): number {
    return this.ownStatus ?? errorStatus[this.code];
  }
}

/**
 * 404 for a row that is missing or hidden from the caller.
 * @param what names it in lower case: "entry"
 * @param id the id that the caller gave
 */
export function notFound(what: string, id?: string): QuireError {
  return new QuireError('NOT_FOUND', id === undefined ? `No such ${what}` : `No such ${what}: ${id}`);
}

/** 400 with every invalid place; the message joins them, `details.issues` lists them. */
export function invalidInput(issues: readonly Issue[], extra: { cause?: unknown } = {}): QuireError {
  const message = issues.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ');
  return new QuireError('VALIDATION_ERROR', message || 'Invalid input', { ...extra, details: { issues } });
}
