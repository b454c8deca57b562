import { z } from 'zod';
import { recordDefinitions } from '../records/record-definitions.js';
import { recordKinds, type RecordKind } from '../records/record-kinds.js';
import { formatVersion } from './limits.js';
import { manifestSchema, packageFileSchema } from './manifest.js';

/**
 * The JSON Schema (draft 2020-12) of a package. Its `$defs` are `manifest`, `index` (one line of the index) and each
 * kind of records (one line). Records have the annotations `x-key`, `x-unique` and `x-principals`, see
 * `RecordDefinition`; properties have `x-reference`, see `PropertyReference`.
 */
export function packageJsonSchema(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `Quire site package, format version ${formatVersion}`,
    $defs: {
      manifest: { description: 'manifest.json', ...jsonSchemaOf(manifestSchema) },
      index: { description: 'A line of a file below index/', ...jsonSchemaOf(packageFileSchema) },
      ...Object.fromEntries(recordKinds.map((kind) => [kind, recordSchemaOf(kind)])),
    },
  };
}

function recordSchemaOf(kind: RecordKind): object {
  const { summary, schema, key, unique, principals } = recordDefinitions[kind];
  return {
    description: summary,
    'x-key': key,
    ...(unique.length > 0 && { 'x-unique': unique }),
    ...(principals.length > 0 && { 'x-principals': principals }),
    ...jsonSchemaOf(schema),
  };
}

function jsonSchemaOf(schema: z.ZodType): object {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, {
    override: ({ jsonSchema: part }) => {
      const { reference } = part;
      if (reference === undefined) return;
      delete part['reference'];
      part['x-reference'] = reference;
    },
  });
  return jsonSchema;
}
