import { describe, expect, it } from '@jest/globals';
import { assertAcceptable, assertJson } from './media-types.js';

const both = 'application/json, text/event-stream';

describe('assertAcceptable (contract 1, Accept)', () => {
  it.each([
    undefined,
    '',
    '*/*',
    'text/html, */*;q=0.1',
    both,
    'text/event-stream,application/json',
    'Application/JSON;q=0.5, TEXT/event-stream; q=0.01; x=y',
    `${both};q=1, text/html;q=0`,
  ])('accepts %j', (accept) => {
    expect(() => assertAcceptable(accept)).not.toThrow();
  });

  it.each([
    'application/json',
    'text/event-stream',
    'text/html',
    'application/*, text/*',
    'application/jsonx, text/event-stream',
    'application/json, text/event-stream;q=0',
    'application/json;q=0.000, text/event-stream',
    'application/json; Q = 0 ; a=b, text/event-stream',
    '*/*;q=0',
  ])('rejects %j with 406', (accept) => {
    expect(() => assertAcceptable(accept)).toThrow(expect.objectContaining({ status: 406, code: -32000 }));
  });
});

describe('assertJson (contract 1, Content-Type)', () => {
  it.each(['application/json', 'APPLICATION/JSON', 'application/json; charset=utf-8'])(
    'accepts %s',
    (type) => {
      expect(() => assertJson(type)).not.toThrow();
    },
  );

  it.each([
    undefined,
    '',
    'text/plain',
    'application/jsonp',
    'application/x-www-form-urlencoded',
    'text/json',
  ])('rejects %j with 415', (type) => {
    expect(() => assertJson(type)).toThrow(expect.objectContaining({ status: 415, code: -32000 }));
  });
});
