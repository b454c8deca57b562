import { describe, expect, it } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import { keyedRequest } from './keyed-request.js';

const reply = {} as FastifyReply;

describe('keyedRequest', () => {
  it('returns undefined without the header Idempotency-Key', () => {
    expect(keyedRequest(undefined, 'createContent', reply)).toBeUndefined();
  });

  it.each(['a', '!', '~', 'x'.repeat(255), '5b2f0f9e-6c1c-4f5e-9d55-5d9ad0b6d3f0', '"quoted"'])(
    'accepts %s',
    (key) => {
      expect(keyedRequest(key, 'createContent', reply)).toEqual({ key, operation: 'createContent', reply });
    },
  );

  it.each([[''], ['x'.repeat(256)], ['a b'], ['a, b'], ['é'], ['a\t'], ['\u007f'], [['a', 'b']]])(
    'throws for %j',
    (key) => {
      expect(() => keyedRequest(key, 'createContent', reply)).toThrow(
        expect.objectContaining({ code: 'VALIDATION_ERROR' }),
      );
    },
  );
});
