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

describe('parseInput (contract 1)', () => {
  it('applies defaults and drops unknown keys', () => {
    expect(parse({ body: { name: 'n', unknown: 1 } })).toEqual({
      params: { id: 'a' },
      query: { limit: 50 },
      body: { name: 'n' },
    });
  });

  it('uses the last of a repeated query parameter', () => {
    expect(parse({ query: { limit: ['5', '7'] } }).query).toEqual({ limit: 7 });
  });

  it('joins the values of a repeatable query parameter with commas', () => {
    const more = { query: z.object({ type: z.string() }), repeatable: ['type'] };
    expect(parse({ query: { type: ['a', 'b,c'] } }, more).query).toEqual({ type: 'a,b,c' });
    expect(parse({ query: { type: 'a' } }, more).query).toEqual({ type: 'a' });
  });

  it('throws one error with the path of every problem', () => {
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

  it('throws without a declared body', () => {
    expect(() => parse({ body: undefined })).toThrow(expect.objectContaining({ code: 'INVALID_JSON' }));
  });

  it.each([false, true])(
    'rejects null as JSON of another shape, with a body that is optional: %s',
    (isOptional) => {
      expect(() => parse({ body: null }, { bodyIsOptional: isOptional })).toThrow(
        expect.objectContaining({
          code: 'VALIDATION_ERROR',
          details: { issues: [{ path: '', message: expect.any(String) }] },
        }),
      );
    },
  );

  it('applies all defaults to an empty optional body', () => {
    const body = z.object({ when: z.string().default('now') });
    expect(parse({ body: undefined }, { body, bodyIsOptional: true }).body).toEqual({ when: 'now' });
  });

  it('leaves out undeclared parts of the request', () => {
    expect(parse({}, { params: undefined, query: undefined, body: undefined })).toEqual({
      params: undefined,
      query: undefined,
      body: undefined,
    });
  });
});
