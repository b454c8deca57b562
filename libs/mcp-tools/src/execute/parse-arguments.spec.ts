import { describe, expect, it } from '@jest/globals';
import { QuireError } from '@quire/errors';
import { z } from 'zod';
import { parseArguments } from './parse-arguments.js';

const schema = z.object({
  collection: z.string(),
  data: z.record(z.string(), z.unknown()),
  limit: z.number().int().min(1).max(100).default(50),
  force: z.boolean().default(false),
  status: z.enum(['draft', 'published']).optional(),
  tags: z.array(z.string()).max(2).optional(),
  name: z.string().min(1).max(3).optional(),
  seo: z.strictObject({ title: z.string().optional() }).optional(),
  items: z.array(z.object({ label: z.string() })).optional(),
  value: z.union([z.string(), z.array(z.object({ type: z.string() }))]).optional(),
  note: z.string().nullable().optional(),
});
const valid = { collection: 'posts', data: {} };

/** Code, message and issues of the rejection of arguments. */
function failure(given: object): { code: string; message: string; issues: unknown } {
  try {
    parseArguments(schema, given);
  } catch (error) {
    if (error instanceof QuireError)
      return { code: error.code, message: error.message, issues: error.details?.['issues'] };
  }
  throw new Error('The arguments were accepted');
}

describe('parseArguments (contract 2.2)', () => {
  it('returns the arguments with defaults, without unknown ones', () => {
    expect(parseArguments(schema, { ...valid, extra: 1 })).toEqual({ ...valid, limit: 50, force: false });
  });

  it('names every offending argument by its path', () => {
    expect(failure({ limit: 0 })).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'collection: is required; data: is required; limit: must be at least 1',
      issues: [
        { path: 'collection', message: 'is required' },
        { path: 'data', message: 'is required' },
        { path: 'limit', message: 'must be at least 1' },
      ],
    });
  });

  it.each<[object, string]>([
    [{ limit: '5' }, 'limit: must be a number'],
    [{ limit: 1.5 }, 'limit: must be an integer'],
    [{ limit: 101 }, 'limit: must be at most 100'],
    [{ limit: null }, 'limit: must be a number'],
    [{ force: 'true' }, 'force: must be true or false'],
    [{ force: 1 }, 'force: must be true or false'],
    [{ collection: 5 }, 'collection: must be a string'],
    [{ data: [] }, 'data: must be an object'],
    [{ data: '{}' }, 'data: must be an object'],
    [{ status: 'archived' }, 'status: must be one of draft, published'],
    [{ tags: 'a' }, 'tags: must be an array'],
    [{ tags: ['a', 'b', 'c'] }, 'tags: must have at most 2 items'],
    [{ tags: ['a', 7] }, 'tags.1: must be a string'],
    [{ name: '' }, 'name: must not be empty'],
    [{ name: 'four' }, 'name: must have at most 3 characters'],
    [{ note: 5 }, 'note: must be a string'],
    [{ seo: { titel: 'x', a: 1 } }, 'seo.titel: is not a known argument; seo.a: is not a known argument'],
    [{ items: [{ label: 'a' }, {}] }, 'items.1.label: is required'],
    [{ value: 5 }, 'value: must be a string or an array'],
    [{ value: [{ type: 'a' }, {}] }, 'value.1.type: is required'],
  ])('describes what is wrong with %j', (given, message) => {
    expect(failure({ ...valid, ...given }).message).toBe(message);
  });

  it('keeps the message of a rule of the schema', () => {
    const own = z.object({ slug: z.string().regex(/^a/, 'must begin with a') });
    expect(() => parseArguments(own, { slug: 'b' })).toThrow('slug: must begin with a');
  });
});
