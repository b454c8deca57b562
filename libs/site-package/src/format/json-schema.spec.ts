import { beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { z } from 'zod';
import { recordDefinitions } from '../records/record-definitions.js';
import { recordKinds } from '../records/record-kinds.js';
import { packageJsonSchema } from './json-schema.js';
import { manifestSchema, packageFileSchema } from './manifest.js';

/** What the schemas of this package use of JSON Schema. */
interface JsonSchema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  pattern?: string;
}

const annotations = ['x-key', 'x-unique', 'x-principals', 'x-reference'];
const hash = 'a'.repeat(64);
const instant = '2026-01-02T03:04:05.678Z';
const texts = [hash, `sha256:${hash}`, instant];

/** Values of all types, and at the limits of the formats. */
const probes: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 2 ** 53],
  ...['', 'a', 'x'.repeat(200), 'x'.repeat(201), hash, hash.toUpperCase(), `${hash}\n`, `sha256:${hash}`],
  ...[instant, '2026-01-02T03:04:05Z', '2026-02-30T03:04:05.678Z', '2026-01-02T03:04:05.678+01:00'],
  ...[[], [1], ['a'], [{}], {}, { a: 1 }, { a: 'b' }, { a: true }],
];

const document = packageJsonSchema() as { $schema: string; $defs: Record<string, JsonSchema> };
const schemas: [string, z.ZodObject][] = [
  ['manifest', manifestSchema],
  ['index', packageFileSchema],
  ...recordKinds.map((kind): [string, z.ZodObject] => [kind, recordDefinitions[kind].schema]),
];

/** A value of a schema. */
function valueOf(schema: JsonSchema): unknown {
  const { const: only, enum: values = [only], anyOf: [alternative] = [] } = schema;
  if (values[0] !== undefined) return values[0];
  if (alternative) return valueOf(alternative);
  switch ([schema.type].flat()[0]) {
    case 'string':
      return texts.find((text) => new RegExp(schema.pattern ?? '').test(text));
    case 'integer':
      return 1;
    case 'boolean':
      return true;
    case 'array':
      return [];
    default: {
      const properties = Object.entries(schema.properties ?? {});
      return Object.fromEntries(properties.map(([name, property]) => [name, valueOf(property)]));
    }
  }
}

describe('packageJsonSchema', () => {
  it('describes the manifest, the index and the records of all kinds', () => {
    expect(Object.keys(document.$defs)).toEqual(['manifest', 'index', ...recordKinds]);
  });

  it('is a JSON Schema of the draft 2020-12', () => {
    const ajv = new Ajv2020();
    expect(document.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect([ajv.validateSchema(document), ajv.errors]).toEqual([true, null]);
  });

  it('annotates keys, users and references', () => {
    expect(document.$defs['bylines']).toMatchObject({
      'x-key': ['id'],
      'x-unique': [
        ['slug', 'locale'],
        ['translationGroup', 'locale'],
      ],
      'x-principals': ['userId'],
      properties: {
        translationGroup: { 'x-reference': { kind: 'byline_groups', soft: false } },
        avatarMediaId: {
          anyOf: [{ 'x-reference': { kind: 'media_items', soft: true } }, { type: 'null' }],
        },
      },
    });
  });
});

describe.each(schemas)('the JSON Schema of %s', (name, schema) => {
  let accepts: (value: unknown) => boolean;
  const definition = document.$defs[name] ?? {};
  const sample = valueOf(definition) as Record<string, unknown>;
  const isValid = (value: unknown) => schema.safeParse(value).success;

  beforeAll(() => {
    const ajv = new Ajv2020({ allowUnionTypes: true });
    formats.default(ajv);
    for (const annotation of annotations) ajv.addKeyword(annotation);
    ajv.addSchema(document, 'package');
    accepts = ajv.compile({ $ref: `package#/$defs/${name}` });
  });

  it('accepts a valid one, as zod does', () => {
    expect([isValid(sample), accepts(sample)]).toEqual([true, true]);
  });

  it('rejects unknown properties, and what is no object, as zod does', () => {
    for (const value of [{ ...sample, unknown: 1 }, {}, [], null, 'a'])
      expect([isValid(value), accepts(value)]).toEqual([false, false]);
  });

  it.each(Object.keys(sample))('accepts the same values of %s as zod', (property) => {
    const { [property]: _, ...without } = sample;
    const altered = [without, ...probes.map((probe) => ({ ...sample, [property]: probe }))];
    const accepted = altered.filter(accepts);
    expect(accepted).toEqual(altered.filter(isValid));
    expect(accepted.length).toBeLessThan(altered.length);
  });
});
