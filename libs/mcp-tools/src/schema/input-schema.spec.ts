import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { inputSchemaOf, type JsonSchema } from './input-schema.js';

const schemaOf = (shape: z.ZodRawShape): JsonSchema => inputSchemaOf('probe', z.object(shape));
/** The schema of one argument. */
const argument = (type: z.ZodType): JsonSchema =>
  (schemaOf({ value: type.describe('A value') }).properties as { value: JsonSchema }).value;

/** All keywords of a schema and of those inside it. */
function keywords(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) => [
    ...(Array.isArray(schema) ? [] : [name]),
    ...keywords(value),
  ]);
}

describe('inputSchemaOf: the root', () => {
  it('is an object with properties, also without arguments, and nothing else', () => {
    expect(schemaOf({})).toEqual({ type: 'object', properties: {} });
    expect(inputSchemaOf('probe', z.object({}).describe('Text').meta({ title: 'T' }))).toEqual({
      type: 'object',
      properties: {},
    });
  });

  it('lists the required arguments; those with a default are optional', () => {
    const schema = schemaOf({
      a: z.string().describe('A'),
      b: z.string().optional().describe('B'),
      c: z.boolean().default(false).describe('C'),
    });
    expect(schema.required).toEqual(['a']);
    expect(schema).not.toHaveProperty('additionalProperties');
  });

  it('allows no other arguments where the tool does not', () => {
    expect(inputSchemaOf('probe', z.strictObject({}))).toMatchObject({ additionalProperties: false });
  });

  it('is rejected with alternatives', () => {
    const input = z.object({}).meta({ anyOf: [{ type: 'object' }] });
    expect(() => inputSchemaOf('probe', input)).toThrow('probe: the root of the schema has anyOf');
  });

  it('is rejected with an argument without a description', () => {
    expect(() => schemaOf({ a: z.string() })).toThrow('probe: a has no description');
  });

  it.each(['a b', 'ü', '', 'x'.repeat(65), '$a'])('is rejected with the argument %j', (name) => {
    expect(() => schemaOf({ [name]: z.string().describe('A') })).toThrow('clients reject the name');
  });

  it('accepts _rev', () => {
    expect(schemaOf({ _rev: z.string().describe('A') })).toHaveProperty('properties._rev');
  });
});

describe('inputSchemaOf: keywords that clients reject', () => {
  it('has no $schema', () => {
    expect(keywords(schemaOf({ a: z.string().describe('A') }))).not.toContain('$schema');
  });

  it('rejects references and definitions', () => {
    const node = z.object({
      get children() {
        return z.array(node);
      },
    });
    expect(() => argument(node)).toThrow(/probe: the schema has \$(ref|defs)/);
  });

  it('rejects tuples', () => {
    expect(() => argument(z.tuple([z.string(), z.number()]))).toThrow('probe: the schema has prefixItems');
  });

  it('rejects arrays without items', () => {
    const list = z.unknown().meta({ type: 'array' });
    expect(() => argument(list)).toThrow('probe: an array without items');
    expect(argument(z.array(z.string()))).toMatchObject({ type: 'array', items: { type: 'string' } });
  });

  it('writes null as an alternative', () => {
    expect(argument(z.number().nullable())).toEqual({
      anyOf: [{ type: 'number' }, { type: 'null' }],
      description: 'A value',
    });
    expect(argument(z.number().nullable().default(3))).toEqual({
      anyOf: [{ type: 'number' }, { type: 'null' }],
      description: 'A value',
      default: 3,
    });
    expect(argument(z.string().max(5).nullable())).toEqual({
      anyOf: [{ type: 'string', maxLength: 5 }, { type: 'null' }],
      description: 'A value',
    });
    const nested = argument(z.object({ a: z.boolean().nullable() }));
    expect(nested).toMatchObject({ properties: { a: { anyOf: [{ type: 'boolean' }, { type: 'null' }] } } });
  });

  it('has no names and no schema of the values of a record', () => {
    expect(argument(z.record(z.string(), z.unknown()))).toEqual({ type: 'object', description: 'A value' });
    expect(argument(z.record(z.string(), z.array(z.string())))).toMatchObject({
      additionalProperties: { type: 'array', items: { type: 'string' } },
    });
  });

  it('names the types of a value that may have any', () => {
    const { anyOf, description } = argument(z.unknown());
    expect(description).toBe('A value');
    expect((anyOf as { type: string }[]).map(({ type }) => type)).toEqual([
      'string',
      'number',
      'boolean',
      'object',
      'null',
      'array',
    ]);
  });

  it('has no bounds of JavaScript, and inclusive bounds of integers', () => {
    expect(argument(z.number().int())).toEqual({ type: 'integer', description: 'A value' });
    expect(argument(z.number().int().positive().lt(10))).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 9,
      description: 'A value',
    });
    expect(argument(z.number().int().min(1).max(100))).toMatchObject({ minimum: 1, maximum: 100 });
    expect(keywords(argument(z.number().positive()))).not.toContain('exclusiveMinimum');
  });

  it.each([/^(?=a)/, /^(?!a)/, /(?<=a)b/, /(?<!a)b/])('has no pattern with lookaround: %s', (pattern) => {
    expect(keywords(argument(z.string().regex(pattern)))).not.toContain('pattern');
  });

  it('has short patterns, and none of those that the library has for times', () => {
    expect(argument(z.string().regex(/^[a-z]+$/))).toMatchObject({ pattern: '^[a-z]+$' });
    expect(argument(z.iso.datetime({ offset: true }))).toEqual({
      type: 'string',
      format: 'date-time',
      description: 'A value',
    });
  });

  it('keeps enums, constants, lengths and defaults', () => {
    expect(argument(z.enum(['a', 'b']).default('a'))).toEqual({
      type: 'string',
      enum: ['a', 'b'],
      default: 'a',
      description: 'A value',
    });
    expect(argument(z.array(z.string().min(1).max(5)).max(3))).toMatchObject({
      maxItems: 3,
      items: { minLength: 1, maxLength: 5 },
    });
    const initial = { id: 'x', type: ['a', 'b'], $ref: 'y' };
    expect(argument(z.record(z.string(), z.unknown()).default(initial))).toMatchObject({ default: initial });
  });
});
