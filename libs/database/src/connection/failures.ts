import { invalidInput, QuireError } from '@quire/errors';
import { UnsupportedPoolerError } from './pooler.js';

/** 25006: a write on a server that is read-only since a switchover, whose connection must be given up. */
const unavailableSqlState = /^(08|25006|53|57P0[1-3]|58)/;
const unavailableSystemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
]);
/** Of a server that stops, or starts up. */
const restartSqlState = /^57P0[1-3]/;
/** Of pg and pg-pool: connections that were lost, or not accepted in time. */
const lostMessages = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'connection error and is not queryable',
  'Connection is closed',
];

/** Retry-After of a response without the database. */
const retryAfterSeconds = 2;

export interface DatabaseFailure extends Error {
  /** SQLSTATE, or a system code such as ECONNREFUSED. */
  code?: string;
  constraint?: string;
  table?: string;
  column?: string;
}

export const sqlState = {
  /** Mostly: a role that does not exist. */
  invalidParameterValue: '22023',
  foreignKeyViolation: '23503',
  uniqueViolation: '23505',
  /** A row of a table or an index that exceeds the maximum size. */
  programLimitExceeded: '54000',
  /** A statement that exceeded its time limit. */
  queryCanceled: '57014',
  insufficientPrivilege: '42501',
  /** An object cannot be dropped because others depend on it. */
  dependentObjects: '2BP01',
  /** No schema of the search path exists, and permits its use. */
  noSchemaSelected: '3F000',
  undefinedColumn: '42703',
  undefinedTable: '42P01',
  duplicateTable: '42P07',
  deadlock: '40P01',
  serialization: '40001',
  lockNotAvailable: '55P03',
  cachedPlanChanged: '0A000',
  /** Raised by the triggers that reject writes to a site while it moves (libs/tenancy). */
  readOnlySite: 'QR006',
} as const;

/** Whether the failure is an error of the database with one of these SQLSTATEs. */
export function hasSqlState(error: unknown, ...states: string[]): error is DatabaseFailure {
  return error instanceof Error && states.includes((error as DatabaseFailure).code ?? '');
}

/** Whether the database is unreachable, shutting down or unusable, in contrast to an error of a statement. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof UnsupportedPoolerError) return true;
  if (!(error instanceof Error)) return false;
  const { code } = error as DatabaseFailure;
  if (code !== undefined && (unavailableSystemCodes.has(code) || unavailableSqlState.test(code))) return true;
  return lostMessages.some((text) => error.message.includes(text));
}

/**
 * Whether the database has lost a connection or not accepted one in time, as it does on a busy machine and while it
 * restarts, in contrast to a refused connection. Causes of the error count too.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, message, cause } = error as DatabaseFailure;
  const isLost = lostMessages.some((text) => message.includes(text));
  return isLost || (code !== undefined && restartSqlState.test(code)) || isConnectionLost(cause);
}

/**
 * The result of statements that also store a use, or of others while the site is read-only because it moves: reads go
 * on then.
 */
export async function orWhenReadOnly<Result>(
  work: Promise<Result>,
  otherwise: () => Result | Promise<Result>,
): Promise<Result> {
  return work.catch((error: unknown) => {
    const cause = error instanceof QuireError ? error.cause : error;
    if (!hasSqlState(cause, sqlState.readOnlySite)) throw error;
    return otherwise();
  });
}

/**
 * An unreachable database becomes 503 with Retry-After, never a 401, a 404 or a bare 500 (design 7). A value too large
 * for a row is an error of the client, and only the database knows the limit: it becomes VALIDATION_ERROR.
 */
export function translateFailure(error: unknown): unknown {
  if (hasSqlState(error, sqlState.programLimitExceeded)) {
    const message = 'There are too many values, or values that are too long, to be stored as one row';
    return invalidInput([{ path: '', message }], { cause: error });
  }
  if (hasSqlState(error, sqlState.readOnlySite))
    return unavailable('The site is moving to another database; retry later', error);
  if (hasSqlState(error, sqlState.queryCanceled))
    return unavailable('The database timed out; retry later', error);
  return isUnavailable(error) ? unavailable('The database is unavailable; retry later', error) : error;
}

/**
 * A transaction that PostgreSQL has ended because of others that ran at the same time: it has changed nothing and may
 * be repeated. Callers that repeat it themselves look at its SQLSTATE before.
 * @returns 503 with Retry-After; undefined for another error
 */
export function translateConflict(error: unknown): QuireError | undefined {
  if (!hasSqlState(error, sqlState.deadlock, sqlState.serialization)) return undefined;
  return unavailable('Other requests changed the same data at the same time; retry', error);
}

/** 503 with Retry-After. */
export function unavailable(message: string, cause: unknown): QuireError {
  return new QuireError('SERVICE_UNAVAILABLE', message, {
    retryAfterSeconds,
    cause,
  });
}
