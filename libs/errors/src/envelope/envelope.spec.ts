import { describe, expect, it } from '@jest/globals';
import { invalidInput, notFound, QuireError } from '../codes/quire-error.js';
import { errorAnswer, successText, unexpectedError, usualHeaders } from './envelope.js';

describe('the success envelope (document 1, Response envelope)', () => {
  it('holds the result under data', () => {
    expect(JSON.parse(successText({ items: [1] }))).toEqual({ success: true, data: { items: [1] } });
  });
});

describe('the error envelope (document 1, Response envelope)', () => {
  it('has the status of its code, the usual headers, and no details that the error does not bring', () => {
    expect(errorAnswer(new QuireError('CONFLICT', 'Somebody was faster'))).toEqual({
      status: 409,
      headers: usualHeaders,
      body: { success: false, error: { code: 'CONFLICT', message: 'Somebody was faster' } },
    });
  });

  it('carries details and says in Retry-After how long to wait', () => {
    const error = new QuireError('SERVICE_UNAVAILABLE', 'Later', {
      details: { why: 'x' },
      retryAfterSeconds: 7,
    });
    const { headers, body } = errorAnswer(error);
    expect(headers).toEqual({ ...usualHeaders, 'retry-after': '7' });
    expect(body.error.details).toEqual({ why: 'x' });
  });

  it('tells nothing of an unexpected failure but the id of the request', () => {
    expect(errorAnswer(unexpectedError('r-1'))).toEqual({
      status: 500,
      headers: usualHeaders,
      body: {
        success: false,
        error: {
          code: 'INTERNAL_ERROR',
          message: 'Something went wrong on our side',
          details: { requestId: 'r-1' },
        },
      },
    });
  });

  it('never carries the cause of an error', () => {
    const error = new QuireError('BAD_GATEWAY', 'Broke off', { cause: new Error('secret host 10.0.0.1') });
    expect(JSON.stringify(errorAnswer(error))).not.toContain('secret');
  });
});

describe('errors that are made often', () => {
  it('name the place of each problem of an input, all at once', () => {
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

  it('name what is not there', () => {
    expect(notFound('entry')).toMatchObject({ code: 'NOT_FOUND', message: 'No such entry', status: 404 });
  });
});
