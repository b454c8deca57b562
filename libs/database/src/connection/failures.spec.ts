import { describe, expect, it } from '@jest/globals';
import { QuireError } from '@quire/errors';
import { hasSqlState, isConnectionLost, isUnavailable, translateFailure } from './failures.js';

const failure = (code: string | undefined, message = 'x') => Object.assign(new Error(message), { code });

describe('isUnavailable (design 7)', () => {
  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    '08006',
    '25006',
    '53300',
    '57P01',
    '57P02',
    '57P03',
    '58030',
  ])('is true for %s', (code) => {
    expect(isUnavailable(failure(code))).toBe(true);
  });

  it.each([
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
  ])('is true for "%s"', (message) => {
    expect(isUnavailable(failure(undefined, message))).toBe(true);
  });

  it.each(['23505', '42P01', '57014', '40001', '22P02', undefined])('is false for %s', (code) => {
    expect(isUnavailable(failure(code))).toBe(false);
  });

  it('leads to 503 with Retry-After and keeps the cause for the log', () => {
    const cause = failure('ECONNREFUSED');
    expect(translateFailure(cause)).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 2,
      cause,
    });
  });

  it('is false for a row that is too large, which is VALIDATION_ERROR', () => {
    const cause = failure('54000', 'row is too big: size 12384, maximum size 8160');
    expect(translateFailure(cause)).toMatchObject({ code: 'VALIDATION_ERROR', cause });
    expect((translateFailure(cause) as Error).message).not.toContain('8160');
  });

  it('leads to 503 for a statement that takes too long, too', () => {
    const cause = failure('57014', 'canceling statement due to statement timeout');
    expect(translateFailure(cause)).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 2,
      cause,
    });
  });

  it('leaves any other failure unchanged', () => {
    const refusal = failure('23505');
    const own = new QuireError('NOT_FOUND', 'x');
    expect(translateFailure(refusal)).toBe(refusal);
    expect(translateFailure(own)).toBe(own);
    expect(isUnavailable('ECONNREFUSED')).toBe(false);
  });
});

describe('hasSqlState', () => {
  it('compares the SQLSTATE', () => {
    expect(hasSqlState(failure('23505'), '40001', '23505')).toBe(true);
    expect(hasSqlState(failure('23503'), '40001', '23505')).toBe(false);
    expect(hasSqlState({ code: '23505' }, '23505')).toBe(false);
  });
});

describe('a lost connection', () => {
  const timeout = failure(undefined, 'Connection terminated due to connection timeout');

  it.each([
    ['while it is opened', timeout],
    ['while one is waited for', failure(undefined, 'timeout exceeded when trying to connect')],
    ['after it was dropped', failure(undefined, 'Connection terminated unexpectedly')],
    ['while the server stops', failure('57P01')],
    ['while the server starts up', failure('57P03')],
    ['as a cause', new Error('The database is unavailable', { cause: timeout })],
  ])('is recognized %s', (_, error) => {
    expect(isConnectionLost(error)).toBe(true);
  });

  it.each([failure('ECONNREFUSED'), failure('ENOTFOUND'), failure('57014'), 'timeout', undefined])(
    'is not %s',
    (error) => {
      expect(isConnectionLost(error)).toBe(false);
    },
  );
});
