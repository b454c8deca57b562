import { describe, expect, it } from '@jest/globals';
import { invalidInput, notFound, QuireError } from '../codes/quire-error.js';
import { toErrorResponse, successText, unexpectedError, securityHeaders } from './envelope.js';

describe('successText (document 1, Response envelope)', () => {
  it('has the result in data', () => {
    expect(JSON.parse(successText({ items: [1] }))).toEqual({ success: true, data: { items: [1] } });
  });
});

describe('toErrorResponse (document 1, Response envelope)', () => {
  it('has the status of its code, the default headers, and details only if the error has some', () => {
    expect(
      toErrorResponse(new QuireError('CONFLICT', 'The resource was changed by another request')),
    ).toEqual({
      status: 409,
      headers: securityHeaders,
      body: {
        success: false,
        error: { code: 'CONFLICT', message: 'The resource was changed by another request' },
      },
    });
  });

  it('has the details and Retry-After of the error', () => {
    const error = new QuireError('SERVICE_UNAVAILABLE', 'Later', {
      details: { why: 'x' },
      retryAfterSeconds: 7,
    });
    const { headers, body } = toErrorResponse(error);
    expect(headers).toEqual({ ...securityHeaders, 'retry-after': '7' });
    expect(body.error.details).toEqual({ why: 'x' });
  });

  it('has only the request id for an unexpected error', () => {
    expect(toErrorResponse(unexpectedError('r-1'))).toEqual({
      status: 500,
      headers: securityHeaders,
      body: {
        success: false,
        error: {
          code: 'INTERNAL_ERROR',
          message: 'Internal server error',
          details: { requestId: 'r-1' },
        },
      },
    });
  });

  it('excludes the cause of an error', () => {
    const error = new QuireError('BAD_GATEWAY', 'Broke off', { cause: new Error('secret host 10.0.0.1') });
    expect(JSON.stringify(toErrorResponse(error))).not.toContain('secret');
  });
});

describe('factories of errors', () => {
  it('invalidInput has the place of each problem', () => {
    const error = invalidInput([
      { path: 'data.title', message: 'is required' },
      { path: '', message: 'is no object' },
    ]);
    expect(error.code).toBe('VALIDATION_ERROR');
    expect(error.message).toBe('data.title: is required; is no object');
    expect(error.details).toEqual({
      issues: [
        { path: 'data.title', message: 'is required' },
        { path: '', message: 'is no object' },
      ],
    });
  });

  it('notFound names the missing object', () => {
    expect(notFound('entry')).toMatchObject({ code: 'NOT_FOUND', message: 'No such entry', status: 404 });
  });
});
