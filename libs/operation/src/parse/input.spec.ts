import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { OperationDeclaration } from '../declare/declaration.js';
import { parseInput } from './input.js';

const declaration: OperationDeclaration = {
  id: 'probe',
  method: 'POST',
  path: 'probe/:id',
  summary: '',
  tag: '',
  access: 'public',
  scope: null,
  params: z.object({ id: z.string().max(3) }),
  query: z.object({ limit: z.coerce.number().int().max(100).default(50) }),
  body: z.object({ name: z.string(), deep: z.unknown().optional() }),
  response: z.unknown(),
};
const parse = (changes: { params?: unknown; query?: unknown; body?: unknown }, more = {}) =>
  parseInput(
    { ...declaration, ...more },
    { params: { id: 'a' }, query: {}, body: { name: 'n' }, ...changes },
  );

describe('the input of an operation (contract 1)', () => {
  it('is parsed with defaults; unknown keys are dropped', () => {
    expect(parse({ body: { name: 'n', unknown: 1 } })).toEqual({
      params: { id: 'a' },
      query: { limit: 50 },
      body: { name: 'n' },
    });
  });

  it('takes the last of a repeated query parameter', () => {
    expect(parse({ query: { limit: ['5', '7'] } }).query).toEqual({ limit: 7 });
  });

  it('takes all of a query parameter that may be repeated, divided by commas', () => {
    const more = { query: z.object({ type: z.string() }), repeatable: ['type'] };
    expect(parse({ query: { type: ['a', 'b,c'] } }, more).query).toEqual({ type: 'a,b,c' });
    expect(parse({ query: { type: 'a' } }, more).query).toEqual({ type: 'a' });
  });

  it('is refused with every problem at once, each with its place', () => {
    expect(() => parse({ params: { id: 'long' }, query: { limit: '101' }, body: { name: 1 } })).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        details: {
          issues: [
            expect.objectContaining({ path: 'id' }),
            expect.objectContaining({ path: 'limit' }),
            expect.objectContaining({ path: 'name' }),
          ],
        },
      }),
    );
  });

  it('needs a body where one is declared', () => {
    expect(() => parse({ body: undefined })).toThrow(expect.objectContaining({ code: 'INVALID_JSON' }));
  });

  it.each([false, true])(
    'takes null for JSON of another shape, with a body that is optional: %s',
    (isOptional) => {
      expect(() => parse({ body: null }, { bodyIsOptional: isOptional })).toThrow(
        expect.objectContaining({
          code: 'VALIDATION_ERROR',
          details: { issues: [{ path: '', message: expect.any(String) }] },
        }),
      );
    },
  );

  it('means all defaults when an optional body is empty', () => {
    const body = z.object({ when: z.string().default('now') });
    expect(parse({ body: undefined }, { body, bodyIsOptional: true }).body).toEqual({ when: 'now' });
  });

  it('leaves out parts that are not declared, whatever was sent', () => {
    expect(parse({}, { params: undefined, query: undefined, body: undefined })).toEqual({
      params: undefined,
      query: undefined,
      body: undefined,
    });
  });
});
